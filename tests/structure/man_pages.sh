#!/bin/sh
# man_pages.sh FOLDER: man and groff have nothing to say against any page, and the pages that one names
# under SEE ALSO are there.
set -eu
folder=$1 failed=0

say() {
    echo "$*" >&2
    failed=1
}

command -v man >/dev/null || command -v groff >/dev/null || {
    echo "skipped: neither man nor groff is installed"
    exit 77
}
for page in "$folder"/*.1; do
    problems=""
    if command -v man >/dev/null; then
        problems=$(MANWIDTH=80 man --warnings -E UTF-8 -l "$page" 2>&1 >/dev/null)
    fi
    if command -v groff >/dev/null; then
        problems=$problems$(groff -man -ww -z -Tutf8 "$page" 2>&1)
    fi
    [ -z "$problems" ] || say "$page: $problems"
    for named in $(sed -n 's/^\.BR \(isotherm[^ ]*\) (1).*/\1/p' "$page" | tr -d '\\'); do
        [ -s "$folder/$named.1" ] || say "$page names $named(1), which is not there"
    done
done
exit "$failed"
