#!/bin/sh
# The kernels of many steps on one GPU, checked and timed in about 50 s.
#
#   bench/kernels/gpu/final.sh LAB [OUT]   LAB: the program that the Makefile here makes (SHAPES below);
#                                          the tables also go to OUT/gpu-pipeline.txt
#
# First what the program uses (product_*), each number of steps checked bit by bit and timed with
# boundary conditions on all sides; then other shapes, and other weights for the rows at the left and
# right boundary (PIPELINE_SIDE_WEIGHT, 11; the best one goes there).
set -eu
# SHAPES="double-3-13-8-1-1 double-4-10-4-2-1 double-3-13-4-2-1 float-4-20-4-2-1 float-4-20-8-1-1
#         float-3-26-4-2-1 float-3-26-8-1-1"
lab=${1:?the laboratory program}
out=${2:-.}
result=$out/gpu-pipeline.txt
: >"$result"

# VARIANT [WEIGHT]; a variant that hangs costs 8 s and no more.
measure() {
    echo "-- $1, weight ${2:-11}" >>"$result"
    code=0
    timeout 8 "$lab" 16384 "$1" "${2:-11}" >>"$result" 2>&1 || code=$?
    [ $code -eq 0 ] || echo "$1: exit code $code" | tee -a "$result"
}

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader >>"$result"
for steps in 16 12 8 4; do
    measure "product_f64_$steps"
    measure "product_f32_$steps"
done
for weight in 9 13; do
    measure "double L4 C10 S4" $weight
    measure "double L3 C13 S4" $weight
    measure "float L4 C20 S4" $weight
done
measure "double L3 C13 S8"
measure "float L4 C20 S8"
measure "float L3 C26 S4"
measure "float L3 C26 S8"
grep -vE '^words|^variant|^float: device' "$result"
