#!/bin/sh
# All checks that need a GPU, in one go, for a machine that may lack CMake or the libraries.
#
#   tests/gpu.sh bundle BUILD DIR   copies the program, its test programs and the libraries they need
#                                   from the build folder BUILD (preset dev, with CUDA) into DIR
#   tests/gpu.sh check DIR [OUT]    runs the checks with that bundle; the tables go to OUT/gpu-check.txt
#   tests/gpu.sh sanitize DIR TOOL  runs the program under that tool of compute-sanitizer; part of `check`
#   tests/gpu.sh measure DIR [OUT]  times the time loop; the tables go to OUT/gpu-measure.txt
#
# SANITIZER names another compute-sanitizer than the one of the machine.
#
# `check` and `measure` need a Python with h5py (PYTHON, default python3), the bundle and this checkout.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
command=${1:?bundle, check, sanitize or measure}

bundle() { # build folder, where to
    build=$1
    to=$2
    rm -rf "$to"
    mkdir -p "$to/lib"
    cp "$build/isotherm" "$to/"
    for test in test_backend test_backend_step test_backend_processes test_halo test_probe; do
        cp "$build/tests/conform/$test" "$to/"
    done
    # All but the C and C++ runtime and the loader, which belong to the machine.
    ldd "$to/isotherm" | awk '$3 ~ /^\// {print $3}' |
        grep -vE '/(libc|libm|libpthread|libdl|librt|libstdc\+\+|libgcc_s|libresolv)\.so' |
        while read -r library; do cp -L "$library" "$to/lib/"; done
    strip "$to"/test_* "$to/isotherm"
    du -sh "$to"
}

failed=0
step() { # a heading and a command that must return 0 (or 77: cannot be run here)
    heading=$1
    shift
    start=$(date +%s)
    code=0
    "$@" >"$log" 2>&1 || code=$?
    case $code in
    0) verdict=passed ;;
    77) verdict=skipped ;;
    *) verdict="FAILED ($code)" failed=1 ;;
    esac
    echo "$verdict  $heading  ($(($(date +%s) - start)) s)"
    if [ "$verdict" = passed ]; then tail -n 3 "$log"; else tail -n 30 "$log"; fi | sed 's/^/    /'
}

describe() {
    date -u '+%Y-%m-%d %H:%M UTC'
    "$program" --version
    nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader || true
    "$program" devices
}

# TOOL ARGUMENTS...: a run under a sanitizer. The kernel of many steps has some 60 barriers in shared memory;
# the tool counts those in the source and would lose the others.
sanitizer() {
    tool=$1
    code=0
    shift
    "${SANITIZER:-compute-sanitizer}" --tool "$tool" --num-cuda-barriers 256 --target-processes all \
        --error-exitcode 9 "$program" run "$work/small.cfg" --output "$work/sanitized" --overwrite \
        --backend cuda --set run.hang_time=0 "$@" >"$work/sanitizer" 2>&1 || code=$?
    cat "$work/sanitizer"
    [ $code -eq 0 ]
    grep SUMMARY "$work/sanitizer" >>"$work/summaries"
    ! grep -qv 'SUMMARY: 0 ' "$work/summaries"
}

sanitized() { # tool: two ranks, both transports, every kind of boundary
    for transport in ipc host; do
        sanitizer "$1" --ranks 2 --set "run.transport=$transport"
    done
    # Grids for the kernel of many steps (see tests/bits/backends.py, large).
    for fixed in "" "--set fixed=()"; do
        # shellcheck disable=SC2086
        sanitizer "$1" --ranks 1 --set "domain.cells=[2200,1320]" --set time.end=0.0008 \
            --set run.steps_per_exchange=16 $fixed
    done
    sanitizer "$1" --ranks 1 --set "domain.cells=[2200,2450]" --set time.end=0.0004 \
        --set run.steps_per_exchange=18 --set run.precision=single
    for steps in 8 12 18; do # no kernel for 18 in double precision
        precision=single
        [ $steps -ne 12 ] || precision=double
        sanitizer "$1" --ranks 1 --set "domain.cells=[2200,1320]" --set time.end=0.0004 \
            --set "geometry={ shapes = ( { type = \"circle\"; centre = [0.05, 0.03]; radius = 0.02; material = \"n\"; } ); }" \
            --set run.steps_per_exchange=$steps --set run.precision=$precision
    done
}

# Runs a command in a folder of its own, for `finished`. NAME COMMAND...
apart() {
    folder=$work/$1
    shift
    mkdir -p "$folder"
    start=$(date +%s)
    code=0
    (cd "$folder" && timeout "${LIMIT:-300}" "$@" >log 2>&1) || code=$?
    echo "$(($(date +%s) - start)) s, exit code $code" >>"$folder/log"
}

finished() { # folders
    for name in "$@"; do
        echo "$name"
        cat "$work/$name/log"
        tail -n 1 "$work/$name/log" | grep -q ' exit code 0$' || return 1
    done
}

series() { # NAME SCRIPT ARGUMENTS...: many runs of the program
    name=$1
    script=$2
    shift 2
    apart "$name" env ISOTHERM="$program" "$python" "$root/tests/bits/$script" cuda "$@"
}

conform() { # NAME ARGUMENTS...: a test program of the bundle
    name=$1
    shift
    apart "$name" env LD_LIBRARY_PATH="$here/lib" "$here/$name" "$@"
}

# Eight lanes: most of the time of a run here is the start of its processes, but on a GPU without MPS many
# runs at once wait for each other's time slices.
all_series() {
    {
        series splits backends.py splits
        series kill3 resume.py "${TRIALS:-6}" single 3
        series kill1 resume.py "${TRIALS:-6}" double 1
    } &
    {
        series large backends.py large
        series delays backends.py delays=0-50
        series kill2 resume.py "${TRIALS:-6}" double 2
    } &
    series sink backends.py sink &
    {
        conform test_probe
        for test in test_backend test_backend_step test_backend_processes test_halo; do
            conform "$test" cuda
        done
    } &
    for tool in memcheck initcheck synccheck racecheck; do
        apart "$tool" sh "$root/tests/gpu.sh" sanitize "$here" "$tool" &
    done
    wait
}

hang() { # a rank that stops answering is found and named
    ended=0
    ISOTHERM_FAULT=send:1:stop:5 "$program" run "$work/small.cfg" --output "$work/hang" \
        --overwrite --backend cuda --ranks 3 --set run.hang_time=2 || ended=$?
    echo "exit code $ended"
    [ "$ended" -eq 4 ]
}

small_input() {
    cat >"$work/small.cfg" <<EOF
domain = { size = [0.1, 0.07]; cells = [129, 67]; };
materials = ( { name = "m"; conductivity = 40.0; density = 7000.0; heat_capacity = 450.0; },
              { name = "n"; conductivity = 20.0; density = 5000.0; heat_capacity = 650.0; } );
initial = { temperature = "300+25*sin(1e4*x+7e3*y*y)"; };
boundary = {
  left = { type = "temperature"; value = 371.3; };
  right = { type = "convection"; coefficient = 30.0; ambient = 250.0; };
  bottom = { type = "flux"; value = 1500.0; };
};
fixed = ( { region = { from = [0.02, 0.02]; to = [0.03, 0.03]; }; } );
time = { end = 1.5; };
output = { interval = 0.5; probes = ( { name = "p"; at = [0.05, 0.03]; interval = 0.1; } ); };
EOF
}

check() {
    describe
    small_input
    begin=$(date +%s)
    all_series
    echo "series of runs took $(($(date +%s) - begin)) s"
    step "bits: ranks, transports, depths, precisions" finished splits
    step "bits: kernels of many steps" finished large
    step "bits: materials, sources, loss, changing walls" finished sink
    step "bits: 50 runs with hosts and queues delayed" finished delays
    step "SIGKILL at random moments, resumed" finished kill1 kill2 kill3
    for test in test_probe test_backend test_backend_step test_backend_processes test_halo; do
        step "$test" finished "$test"
    done
    step "a rank that stops is found" hang
    for tool in memcheck initcheck synccheck racecheck; do
        step "compute-sanitizer $tool" finished "$tool"
    done
    if [ $failed -eq 0 ]; then echo "all checks passed"; else echo "some checks FAILED"; fi
}

# NX NY STEPS_PER_EXCHANGE RANKS PRECISION STEPS: one line with the rate of the time loop.
rate() {
    cat >"$work/rate.cfg" <<EOF
domain = { size = [1.0, $(awk "BEGIN { printf \"%.17g\", $2 / $1 }")]; cells = [$1, $2]; };
materials = ( { name = "m"; conductivity = 40.0; density = 7000.0; heat_capacity = 450.0; } );
initial = { temperature = 300.0; };
boundary = {
  left = { type = "temperature"; value = 371.3; };
  right = { type = "convection"; coefficient = 30.0; ambient = 250.0; };
  bottom = { type = "flux"; value = 1500.0; };
};
time = { end = $(awk "BEGIN { printf \"%.17g\", $6 * 0.9 / ($1 * $1) / 4 * 7000 * 450 / 40 }"); };
output = { compression = "none"; };
checkpoint = { interval = 0.0; };
EOF
    "$program" run "$work/rate.cfg" --output "$work/rate" --overwrite --backend "${BACKEND:-cuda}" \
        --ranks "$4" --progress none --set "run.precision=$5" --set "run.steps_per_exchange=$3" \
        >"$log" 2>&1 || { tail -n 5 "$log"; return 0; }
    awk -v what="$1 x $2  $5  $4 ranks  $3 steps per exchange  $6 steps" \
        '/^speed/ { printf "%-66s %8s GLUPS\n", what, $2 }' "$log"
}

rates() {
    for precision in double single; do
        for depth in ${DEPTHS:-1 8}; do
            for ranks in ${RANKS:-1 2 4}; do
                for size in ${SIZES:-16384x16384 2048x1024}; do
                    nx=${size%x*} ny=${size#*x}
                    # About a second at one sweep of memory per exchange.
                    exchanges=$(awk "BEGIN { n = 2e11 / ($nx * $ny); print int(n < 2e4 ? n : 2e4) }")
                    rate "$nx" "$ny" "$depth" "$ranks" "$precision" $((depth * exchanges))
                done
            done
        done
    done
}

measure() {
    describe
    echo "time loop of isotherm run, without MPS"
    rates
    if command -v nvidia-cuda-mps-control >/dev/null; then
        export CUDA_MPS_PIPE_DIRECTORY="$work/mps" CUDA_MPS_LOG_DIRECTORY="$work/mps"
        mkdir -p "$work/mps"
        nvidia-cuda-mps-control -d && echo "the same with MPS" && rates
        echo quit | nvidia-cuda-mps-control || true
    fi
}

sanitize() { # tool: in a process of its own, where the first run that fails ends it
    small_input
    begin=$(date +%s)
    sanitized "$1"
    echo "$(grep -c . "$work/summaries") runs under $1 without report, $(($(date +%s) - begin)) s"
}

prepare() { # folder of the bundle
    here=$(cd "$1" && pwd)
    python=${PYTHON:-python3}
    work=$(mktemp -d)
    log=$work/log
    trap 'rm -rf "$work"' EXIT
    # Only our programs get the carried libraries: Python has its own.
    program=$work/isotherm
    printf '#!/bin/sh\nLD_LIBRARY_PATH="%s/lib" exec "%s/isotherm" "$@"\n' "$here" "$here" >"$program"
    chmod +x "$program"
}

case $command in
bundle) bundle "${2:?build folder}" "${3:?folder for the bundle}" ;;
sanitize)
    prepare "${2:?folder of the bundle}"
    sanitize "${3:?tool of compute-sanitizer}"
    ;;
check | measure)
    prepare "${2:?folder of the bundle}"
    mkdir -p "${3:-.}"
    out=$(cd "${3:-.}" && pwd)
    cd "$work"
    "$command" 2>&1 | tee "$out/gpu-$command.txt"
    ! grep -q FAILED "$out/gpu-$command.txt"
    ;;
*)
    echo "tests/gpu.sh: $command is not bundle, check, sanitize or measure" >&2
    exit 2
    ;;
esac
