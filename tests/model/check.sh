#!/bin/sh
# check.sh MODEL: checks one model with spin, as it is and with each of its waits or orders left out.
# As it is no state may be wrong; with something left out one must be, or the check checks nothing.
set -eu

model=$1
here=$(cd "$(dirname "$0")" && pwd)
for tool in spin cc; do
    if ! command -v "$tool" >/dev/null; then
        echo "skipped: $tool is not installed"
        exit 77
    fi
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0

# run FLAGS OPTIMISATION: leaves the number of errors in `errors`, "none" where the search did not finish.
run() {
    # shellcheck disable=SC2086 # several flags
    spin $1 -a "$here/$model.pml" >spin.txt 2>&1 || { cat spin.txt; exit 1; }
    cc "$2" -w -DSAFETY -DMEMLIM=2000 -o pan pan.c
    ./pan -m100000 >pan.txt 2>&1 || true
    errors=$(sed -n 's/.*errors: \([0-9]*\)$/\1/p' pan.txt)
    states=$(sed -n 's/ *\([0-9]*\) states, stored.*/\1/p' pan.txt)
    if [ -z "$errors" ] || grep -q -e 'max search depth too small' -e 'not completed' pan.txt; then
        [ "${errors:-0}" -gt 0 ] || errors=none
    fi
}

holds() {
    run "$1" -O1
    if [ "$errors" = 0 ]; then
        echo "holds: $model $1 ($states states)"
    else
        echo "FAILED: $model $1 should hold:"
        cat pan.txt
        failures=$((failures + 1))
    fi
}

breaks() {
    run "$1" -O0
    if [ "$errors" != 0 ] && [ "$errors" != none ]; then
        echo "breaks, as it should: $model $1: $(sed -n 's/^pan:1: //p' pan.txt)"
    else
        echo "FAILED: $model $1 should break, errors: $errors"
        failures=$((failures + 1))
    fi
}

# What the program itself uses.
number_of() {
    sed -n "s/^ *$1 = \([0-9]*\),.*/\1/p" "$here/../../ipc/control.h"
}

case $model in
exchange)
    window=$(number_of CONTROL_WINDOW)
    events=$((window + 2))
    if ! grep -q 'CONTROL_EVENTS = CONTROL_WINDOW + 2,' "$here/../../ipc/control.h"; then
        echo "FAILED: ipc/control.h has another number of events than the model was made for"
        exit 1
    fi
    program="-DN=2 -DS=$((events + 3)) -DK=$events -DW=$window"
    holds "$program"
    holds "$program -DAT_EXECUTION"
    holds "-DN=2 -DS=6 -DK=2 -DW=0"
    for ring in 0 1; do
        holds "-DN=3 -DRING=$ring -DS=3 -DK=2 -DW=0"
        holds "-DN=3 -DRING=$ring -DS=4 -DK=3 -DW=1 -DAT_EXECUTION"
    done
    at_call="-DN=2 -DS=3 -DK=2 -DW=0"
    at_execution="-DN=2 -DS=6 -DK=3 -DW=1 -DAT_EXECUTION"
    holds "$at_execution"
    for mutant in NO_HOST_WAIT NO_STREAM_WAIT PUBLISH_FIRST RECORD_FIRST LEVELS=1; do
        breaks "$at_call -D$mutant"
        breaks "$at_execution -D$mutant"
    done
    breaks "$at_execution -DNO_THROTTLE"
    breaks "-DN=2 -DS=4 -DK=2 -DW=0 -DAT_EXECUTION"
    breaks "-DN=2 -DS=6 -DK=2 -DW=1 -DAT_EXECUTION" # W + 1 events
    ;;
start)
    in_code=$(sed -n 's/^ *STAGE_\([A-Z]*\).*/\1/p' "$here/../../ipc/halo_private.h" | xargs)
    in_model=$(sed -n 's/^#define \([A-Z]*\) [1-9]$/\1/p' "$here/start.pml" | xargs)
    if [ "$in_code" != "$in_model" ]; then
        echo "FAILED: the stages are $in_code in ipc/halo_private.h, $in_model in the model"
        exit 1
    fi
    holds "-DN=2"
    holds "-DN=3"
    for stage in 1 2 3 4 5 6; do
        breaks "-DN=2 -DNO_WAIT=$stage"
    done
    ;;
abort)
    holds ""
    holds "-DRECHECK -DABORT_SILENT"
    for mutant in SLEEPERS_FIRST LOOK_FIRST NO_COUNT SAME_WORD ABORT_SILENT; do
        breaks "-D$mutant"
    done
    ;;
*)
    echo "check.sh: there is no model $model"
    exit 1
    ;;
esac
exit "$failures"
