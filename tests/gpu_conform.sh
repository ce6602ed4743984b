#!/bin/sh
# Builds and runs the tests of the backends without CMake and without the libraries of io/: for a
# machine with a GPU that has little more than nvcc. bench/kernels/backend_step is built beside them.
# With compute-sanitizer in PATH, short runs are repeated under its tools.
# Usage: tests/gpu_conform.sh [FOLDER]    ARCH: for nvcc -arch, default native
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$root/build/gpu_conform}
mkdir -p "$build"
cd "$build"

flags="-std=c17 -D_POSIX_C_SOURCE=200809L -O2 -g -ffp-contract=off -Wall -Wextra -I$root"
cuda=$(dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")")
: "${ARCH:=native}"

compile() { # source, further flags
    source=$1
    shift
    # shellcheck disable=SC2086 # flags are words
    cc $flags -isystem "$cuda/include" "$@" -c "$root/$source" -o "$(echo "$source" | tr / _).o"
}

for source in base/clock.c base/error.c base/memory.c base/text.c kernels/block.c kernels/cpu/device.c \
    kernels/cpu/step.c kernels/cpu/step_baseline.c; do
    compile "$source"
done
compile kernels/cpu/step_avx2.c -mavx2 -mfma
compile kernels/cpu/step_avx512.c -mavx512f -mavx512dq -mavx512vl -mavx2 -mfma
for source in "$root"/kernels/cuda/*.c; do
    compile "kernels/cuda/$(basename "$source")"
done
for source in "$root"/kernels/cuda/*.cu; do
    nvcc -std=c++17 -O3 -arch="$ARCH" -lineinfo --fmad=false -Xcompiler=-ffp-contract=off \
        -I"$root" -c "$source" -o "kernels_cuda_$(basename "$source").o" &
done
wait

tests="test_backend test_backend_step test_backend_processes"
for name in $tests test_probe; do
    compile "tests/conform/$name.c"
    nvcc "tests_conform_$name.c.o" base_*.o kernels_*.o -o "$name" -lm -lpthread
done

compile bench/kernels/backend_step.c
nvcc bench_kernels_backend_step.c.o base_*.o kernels_*.o -o backend_step -lm -lpthread

failed=0
run() {
    echo "== $*"
    "$@" || [ $? -eq 77 ] || failed=1
}
run ./test_probe
for name in $tests; do
    run "./$name" cpu
    run "./$name" cuda
done
if command -v compute-sanitizer >/dev/null; then
    for tool in memcheck racecheck initcheck; do
        run compute-sanitizer --tool "$tool" --error-exitcode 1 ./test_backend_step cuda short
    done
    run compute-sanitizer --tool memcheck --report-api-errors no --error-exitcode 1 \
        ./test_backend cuda
fi
exit "$failed"
