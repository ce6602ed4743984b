#!/bin/sh
# bench/output.sh PROGRAM [options]: what output costs the time loop, as a ratio measured in one go.
#
#   --backend NAME   cpu, cuda or auto (default)
#   --ranks N        default 1
#   --cells N        of a side, default 4096
#   --steps N        of a run, default 1000
#   --every N        steps between two snapshots, default 50
#   --repeats N      of each run; the fastest counts, default 3
#   --materials N    one or two; default: first one, then two
#   --settings WORD  only settings of the output that begin with it, as in --settings double
#   --directory DIR  where the files go, default a new one below TMPDIR; its disk is part of the result
#
# Runs the same problem without snapshots in between and with them in turn, for several settings of the
# output, and prints for each: how many times as long the time loop takes, the share of it that was spent
# waiting for the writer, the seconds a frame costs the loop apart from waiting (copies, and the memory
# bandwidth and cores that the writer takes), the seconds the writer needs for a frame where it is what
# the loop waits for, and the steps between snapshots from which the loop slows by less than 5 %.
set -eu

fail() {
    echo "bench/output.sh: $1" >&2
    exit 2
}

[ $# -ge 1 ] || fail "name the program, for example build/isotherm"
program=$1
shift
[ -x "$program" ] || fail "$program is no program"
backend=auto ranks=1 cells=4096 steps=1000 every=50 repeats=3 directory= inputs="one two" only=
while [ $# -gt 0 ]; do
    [ $# -ge 2 ] || fail "$1 needs a value"
    case $1 in
    --backend) backend=$2 ;;
    --ranks) ranks=$2 ;;
    --cells) cells=$2 ;;
    --steps) steps=$2 ;;
    --every) every=$2 ;;
    --repeats) repeats=$2 ;;
    --directory) directory=$2 ;;
    --materials) inputs=$2 ;;
    --settings) only=$2 ;;
    *) fail "$1 is no option" ;;
    esac
    shift 2
done
folder=$(mktemp -d "${directory:-${TMPDIR:-/tmp}}/isotherm-output.XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM

# A step of a fifth of dx^2 over the diffusivity; slightly less, so that an interval is not one more.
numbers=$(awk -v n="$cells" -v steps="$steps" -v every="$every" 'BEGIN {
    dt = 0.2 / (n * n) / (40.0 / (7000.0 * 450.0))
    printf "%.17g %.17g %.17g", dt * (1 + 1e-9), every * dt, steps * dt
}')
step=${numbers%% *} end=${numbers##* } interval=${numbers#* }
interval=${interval% *}

write_input() { # FILE SHAPES
    cat >"$1" <<INPUT
domain = { size = [1.0, 1.0]; cells = [$cells, $cells]; };
materials = (
  { name = "steel"; conductivity = 40.0; density = 7000.0; heat_capacity = 450.0; },
  { name = "clay"; conductivity = 1.5; density = 2000.0; heat_capacity = 900.0; });
geometry = { shapes = ( $2 ); };
initial = { temperature = "300+25*sin(40*x+30*y*y)+3*cos(50*x*y)"; };
boundary = {
  left = { type = "temperature"; value = 371.3; };
  right = { type = "convection"; coefficient = 25.0; ambient = 293.0; };
};
time = { end = $end; step = $step; };
checkpoint = { interval = 0.0; };
run = { ranks = $ranks; backend = "$backend"; };
INPUT
}

# Adds "SECONDS WAITED SHARE MEGABYTES" of a run's time loop to a file; SHARE: chunks not compressed.
measure() { # FILE INPUT ARGUMENTS...
    lines=$1 case=$2
    shift 2
    "$program" run "$case" --output "$folder/run" --overwrite --progress none "$@" \
        >"$folder/log" || fail "a run failed"
    awk -v bytes="$(wc -c <"$folder/run/run.h5")" '
        function seconds(value, unit) {
            return value * (unit == "ms" ? 1e-3 : unit == "us" ? 1e-6 : unit == "min" ? 60 : 1)
        }
        $1 == "speed" { loop = seconds($(NF - 1), $NF) }
        / waited / { share = 0
            for (k = 1; k < NF; k++) {
                if ($k == "waited") waited = $(k + 1)
                if ($k == "chunks") share = $(k - 3) / $(k - 1)
            }
            print loop, waited, share, bytes / 1e6 }' "$folder/log" >>"$lines"
}

fastest() { # FILE
    sort -g "$1" | head -n 1
}

report() { # NAME BASE_SECONDS BASE_... SECONDS WAITED SHARE MEGABYTES
    awk -v name="$1" -v alone="$2" -v loop="$6" -v waited="$7" -v share="$8" -v size="$9" -v steps="$steps" \
        -v every="$every" 'BEGIN {
        frames = int(steps / every)
        own = (loop - waited - alone) / frames
        own = own > 0 ? own : 0
        writer = waited > 0.02 * loop ? loop / frames : 0
        need = own / 0.05 > writer ? own / 0.05 : writer
        printf "  %-26s %7.3f s %7.3f s %6.2f %7.1f %% %8.4f s", name, alone, loop, loop / alone,
            100 * waited / loop, own
        if (writer > 0)
            printf " %8.3f s", writer
        else
            printf " %10s", "less"
        printf " %6.0f %7.0f %% %6.0f\n", need / (alone / steps), 100 * share, size
    }'
}

echo "machine   $(uname -srm), $(getconf _NPROCESSORS_ONLN) cores; load $(cut -d' ' -f1-3 /proc/loadavg 2>/dev/null || echo unknown)"
echo "program   $("$program" --version)"
echo "case      $cells x $cells cells, $steps steps, a snapshot every $every, $ranks ranks, backend $backend, best of $repeats"
write_input "$folder/one.cfg" ""
write_input "$folder/two.cfg" '{ type = "circle"; centre = [0.5, 0.5]; radius = 0.3; material = "clay"; }'
for input in $inputs; do
    echo "$input material(s)"
    echo "  output                       without   with it  ratio    waited  own/frame  writer/frame  for 5 %  plain     MB"
    while read -r name settings; do
        case $name in "$only"*) ;; *) continue ;; esac
        rm -f "$folder/without" "$folder/with"
        repeat=0
        while [ "$repeat" -lt "$repeats" ]; do
            measure "$folder/without" "$folder/$input.cfg" --set output.interval=0.0
            # shellcheck disable=SC2086 # words are meant
            measure "$folder/with" "$folder/$input.cfg" --set "output.interval=$interval" $settings
            repeat=$((repeat + 1))
        done
        # shellcheck disable=SC2046 # words are meant
        report "$name" $(fastest "$folder/without") $(fastest "$folder/with")
    done <<SETTINGS
double,auto
double,fast --set output.compression=fast
double,none --set output.compression=none
single,auto --set output.precision=single
single,fast --set output.precision=single --set output.compression=fast
single,none --set output.precision=single --set output.compression=none
double,auto,stride_4 --set output.stride=[4,4]
flux,auto,stride_4 --set output.stride=[4,4] --set output.fields=["temperature","heat_flux_x","heat_flux_y"]
flux,fast,stride_4 --set output.stride=[4,4] --set output.fields=["temperature","heat_flux_x","heat_flux_y"] --set output.compression=fast
SETTINGS
done
