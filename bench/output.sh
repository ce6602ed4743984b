#!/bin/sh
# bench/output.sh PROGRAM [options]: what output costs the time loop, as a ratio measured in one go.
#
#   --backend NAME   cpu, cuda or auto (default)
#   --ranks N        default 1
#   --cells N        of a side, default 4096
#   --steps N        of a run, default 1000
#   --every N        steps between two snapshots, default 50
#   --pairs N        of runs without and with snapshots, default 3
#   --materials N    one or two; default: first one, then two
#   --settings WORD  only settings of the output that begin with it, as in --settings double
#   --set SETTING    added to the runs with snapshots, as in --set output.threads=2; more than once if wanted
#   --directory DIR  where the files go, default a new one below TMPDIR; its disk is part of the result
#
# Runs the same problem without snapshots in between and with them in pairs, one directly after the other
# and every second pair the other way round, so that other work on the machine meets both. Prints for several
# settings of the output, as medians over the pairs: how many times as long the time loop takes, with the
# least and the greatest ratio of a pair, the share of it that was spent waiting for the writer, the seconds
# a frame costs the loop apart from waiting (more passes over memory, copies, and what the writer takes of
# memory bandwidth and cores), the seconds the writer needs for a frame where it is what the loop waits for,
# and the steps between snapshots from which the loop slows by less than 5 %.
set -eu

fail() {
    echo "bench/output.sh: $1" >&2
    exit 2
}

[ $# -ge 1 ] || fail "name the program, for example build/isotherm"
program=$1
shift
[ -x "$program" ] || fail "$program is no program"
backend=auto ranks=1 cells=4096 steps=1000 every=50 pairs=3 extra='' directory='' inputs="one two" only=
while [ $# -gt 0 ]; do
    [ $# -ge 2 ] || fail "$1 needs a value"
    case $1 in
    --backend) backend=$2 ;;
    --ranks) ranks=$2 ;;
    --cells) cells=$2 ;;
    --steps) steps=$2 ;;
    --every) every=$2 ;;
    --pairs) pairs=$2 ;;
    --set) extra="$extra --set $2" ;;
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

# "SECONDS WAITED SHARE MEGABYTES" of a run's time loop; SHARE: chunks not compressed.
measure() { # INPUT ARGUMENTS...
    case=$1
    shift
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
            print loop, waited, share, bytes / 1e6 }' "$folder/log"
}

# Adds a line for a pair: seconds without and with, waited, share, megabytes.
measure_pair() { # NUMBER INPUT ARGUMENTS...
    number=$1 problem=$2
    shift 2
    without=
    [ $((number % 2)) -eq 1 ] || without=$(measure "$problem" --set output.interval=0.0)
    with=$(measure "$problem" --set "output.interval=$interval" "$@")
    [ -n "$without" ] || without=$(measure "$problem" --set output.interval=0.0)
    echo "${without%% *} $with" >>"$folder/pairs"
}

report() { # NAME
    awk -v name="$1" -v steps="$steps" -v every="$every" '
    function median(of, n,    i, j, sorted, value) {
        for (i = 1; i <= n; i++) {
            value = of[i]
            for (j = i - 1; j > 0 && sorted[j] > value; j--)
                sorted[j + 1] = sorted[j]
            sorted[j + 1] = value
        }
        least = sorted[1]
        most = sorted[n]
        i = int((n + 1) / 2)
        return n % 2 ? sorted[i] : (sorted[i] + sorted[i + 1]) / 2
    }
    {
        frames = int(steps / every)
        without[NR] = $1
        with[NR] = $2
        waited[NR] = $3 / $2
        own[NR] = ($2 - $3 - $1) / frames
        share[NR] = $4
        size[NR] = $5
        ratio[NR] = $2 / $1
    }
    END {
        alone = median(without, NR)
        loop = median(with, NR)
        late = median(waited, NR)
        cost = median(own, NR)
        cost = cost > 0 ? cost : 0
        writer = late > 0.02 ? loop / frames : 0
        need = cost / 0.05 > writer ? cost / 0.05 : writer
        middle = median(ratio, NR)
        printf "  %-26s %7.3f s %7.3f s %6.2f %5.2f to %5.2f %7.1f %% %8.4f s", name, alone, loop, middle,
            least, most, 100 * late, cost
        if (writer > 0)
            printf " %8.3f s", writer
        else
            printf " %10s", "less"
        printf " %6.0f %7.0f %% %6.0f\n", need / (alone / steps), 100 * median(share, NR), median(size, NR)
    }' "$folder/pairs"
}

echo "machine   $(uname -srm), $(getconf _NPROCESSORS_ONLN) cores; load $(cut -d' ' -f1-3 /proc/loadavg 2>/dev/null || echo unknown)"
echo "program   $("$program" --version)"
echo "case      $cells x $cells cells, $steps steps, a snapshot every $every, $ranks ranks, backend $backend, $pairs pairs"
[ -z "$extra" ] || echo "with     $extra"
write_input "$folder/one.cfg" ""
write_input "$folder/two.cfg" '{ type = "circle"; centre = [0.5, 0.5]; radius = 0.3; material = "clay"; }'
for input in $inputs; do
    echo "$input material(s)"
    echo "  output                       without   with it  ratio         range    waited  own/frame  writer/frame  for 5 %  plain     MB"
    while read -r name settings; do
        case $name in "$only"*) ;; *) continue ;; esac
        rm -f "$folder/pairs"
        pair=0
        while [ "$pair" -lt "$pairs" ]; do
            # shellcheck disable=SC2086 # words are meant
            measure_pair "$pair" "$folder/$input.cfg" $settings $extra
            pair=$((pair + 1))
        done
        report "$name"
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
