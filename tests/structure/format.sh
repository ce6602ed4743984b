#!/bin/sh
# format.sh CHECKOUT: all sources are as clang-format 14 leaves them. Other versions format a little
# differently, so without that one the test cannot run.
set -u
formatter=$(command -v clang-format-14 || command -v clang-format || true)
case "$([ -n "$formatter" ] && "$formatter" --version)" in
*"version 14."*) ;;
*)
    echo "skipped: clang-format 14 is not installed"
    exit 77
    ;;
esac
cd "$1" || exit 1
# One line a file, each with its first difference.
found=$(find base io kernels ipc solver tests bench -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' |
    tr '\n' '\0' | xargs -0 "$formatter" --dry-run -Werror 2>&1 |
    grep 'clang-format-violations' | sort -t: -u -k1,1)
[ -z "$found" ] && exit 0
printf '%s\n' "$found"
exit 1
