#!/bin/sh
# The kernels of many steps on one GPU, checked and timed in about 80 s.
#
#   bench/kernels/gpu/final.sh LAB [OUT]   LAB: the program that the Makefile here makes (SHAPES below);
#                                          the tables also go to OUT/gpu-pipeline.txt
#
# First what the program uses (product_*), each number of steps checked bit by bit and timed with
# boundary conditions on all sides; then other shapes, and other weights for the rows at the left and
# right boundary (PIPELINE_WEIGHTS; the best ones go there).
set -eu
# SHAPES="double-4-10-4-2-1 double-4-11-4-2-1 double-3-13-4-2-1 float-3-18-6-2-1 float-4-12-4-3-1
#         float-4-14-4-3-1"
lab=${1:?the laboratory program}
out=${2:-.}
result=$out/gpu-pipeline.txt
: >"$result"

# VARIANT [WEIGHT...]; a variant that hangs costs 15 s and no more.
measure() {
    echo "-- $*" >>"$result"
    variant=$1
    shift
    code=0
    timeout 15 "$lab" 16384 "$variant" "$@" >>"$result" 2>&1 || code=$?
    [ $code -eq 0 ] || echo "$variant: exit code $code" | tee -a "$result"
}

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader >>"$result"
for steps in 16 12 8 4; do
    measure "product_f64_$steps"
done
for steps in 18 16 12 8 4; do
    measure "product_f32_$steps"
done
for shape in "double L4 C10" "double L4 C11" "double L3 C13" "float L3 C18" "float L4 C12" "float L4 C14"; do
    measure "$shape" weigh
done
grep -vE '^words|^variant|^float: device' "$result"
