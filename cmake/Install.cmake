# What is installed and packed. No library is: an archive with CUDA objects cannot be linked by a C
# program without the C++ runtime.

include(GNUInstallDirs)
install(TARGETS isotherm RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/inputs/" DESTINATION "${CMAKE_INSTALL_DATADIR}/isotherm/inputs")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/README.md"
    "${PROJECT_SOURCE_DIR}/CHANGELOG.md" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

set(CPACK_GENERATOR TGZ DEB)
set(CPACK_PACKAGE_NAME isotherm)
set(CPACK_PACKAGE_CONTACT "The Isotherm developers")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
include(CPack)
