#!/bin/sh
# package.sh BUILD CPACK: the Debian package that cpack makes names what the program needs, and what
# is in it works unpacked in an empty folder.
set -eu
build=$1 cpack=$2

fail() {
    echo "$*" >&2
    exit 1
}

for tool in dpkg-deb dpkg-shlibdeps ldd objdump; do
    command -v "$tool" >/dev/null || {
        echo "skipped: $tool is not installed (dpkg, dpkg-dev, binutils)"
        exit 77
    }
done
rm -rf made unpacked out
mkdir made unpacked
"$cpack" -G DEB -B "$PWD/made" --config "$build/CPackConfig.cmake" >cpack.log 2>&1 || fail "$(cat cpack.log)"
set -- made/*.deb
[ $# -eq 1 ] && [ -f "$1" ] || fail "cpack made: $*"
package=$1

version=$("$build/isotherm" --version | sed -n '1s/^isotherm \([0-9.]*\).*/\1/p')
[ -n "$version" ] || fail "--version tells no version"
[ "$(dpkg-deb -f "$package" Package)" = isotherm ] || fail "Package: $(dpkg-deb -f "$package" Package)"
[ "$(dpkg-deb -f "$package" Version)" = "$version" ] || fail "Version: $(dpkg-deb -f "$package" Version), not $version"
[ "$(dpkg-deb -f "$package" Architecture)" = "$(dpkg --print-architecture)" ] || fail "Architecture"

# Every library that the program itself asks for comes from a package that Depends names.
depends=$(dpkg-deb -f "$package" Depends)
dpkg-deb -x "$package" unpacked
program=unpacked/usr/bin/isotherm
libraries=0
for name in $(objdump -p "$program" | sed -n 's/^ *NEEDED *//p'); do
    path=$(ldd "$program" | sed -n "s|^[[:space:]]*$name => \([^ ]*\).*|\1|p")
    [ -n "$path" ] || continue # the loader itself
    owner=$(dpkg-query -S "$(readlink -f "$path")" "$path" "${path#/usr}" 2>/dev/null | sed -n '1s/:.*//p')
    [ -n "$owner" ] || continue # a library from elsewhere has no package
    echo ", $depends" | grep -q ", $owner[ ,]\|, $owner\$" || fail "Depends lacks $owner for $name: $depends"
    libraries=$((libraries + 1))
done
[ "$libraries" -ge 3 ] || fail "$program asks for $libraries libraries of packages"

# All of it is there, for everyone to read, and works from there.
for file in share/man/man1/isotherm.1 share/man/man1/isotherm-run.1 share/man/man1/isotherm-bench.1 share/bash-completion/completions/isotherm share/isotherm/inputs/plate.cfg \
    share/doc/isotherm/LICENSE share/doc/isotherm/README.md share/doc/isotherm/docs/input.md; do
    [ -s "unpacked/usr/$file" ] || [ -s "unpacked/usr/$file.gz" ] || fail "$file is not in the package"
done
odd=$(dpkg-deb -c "$package" | grep -v '^[-d]rw[-x]r-[-x]r-[-x] root/root ' || true)
[ -z "$odd" ] || fail "owners or modes: $odd"
"$program" --version | grep -q "^isotherm $version" || fail "--version"
"$program" check unpacked/usr/share/isotherm/inputs/plate.cfg >check.log || fail "check"
"$program" run unpacked/usr/share/isotherm/inputs/bottle.cfg --output out --set time.end=0.005 >run.log || fail "run"
"$program" info out/run.h5 | grep -q 'checksums all agree' || fail "info"
