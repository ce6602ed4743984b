# What is installed and packed. No library is: an archive with CUDA objects cannot be linked by a C
# program without the C++ runtime.

include(GNUInstallDirs)
set(doc "${CMAKE_INSTALL_DATAROOTDIR}/doc/isotherm")
install(TARGETS isotherm RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/inputs/" DESTINATION "${CMAKE_INSTALL_DATADIR}/isotherm/inputs"
    PATTERN broken EXCLUDE) # those are for the tests
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1"
    FILES_MATCHING PATTERN "*.1")
install(FILES "${PROJECT_SOURCE_DIR}/docs/completion/isotherm.bash" RENAME isotherm
    DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/README.md"
    "${PROJECT_SOURCE_DIR}/CHANGELOG.md" DESTINATION "${doc}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/" DESTINATION "${doc}/docs"
    FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "*.svg"
    PATTERN man EXCLUDE PATTERN completion EXCLUDE)

# `cpack` in a build folder makes the packages.
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_PACKAGE_NAME isotherm)
set(CPACK_PACKAGE_CONTACT "The Isotherm developers")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Solves the heat equation on a plate that an input file describes, on all CPU cores
or GPUs of a machine, with checkpoints; writes netCDF-4/HDF5 files and pictures.")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
include(CPack)
