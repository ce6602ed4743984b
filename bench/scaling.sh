#!/bin/sh
# Scaling over processes, one per GPU (or core): in one call of less than ten minutes.
#
#   bench/scaling.sh PROGRAM [OUT]     BACKEND=cuda|cpu  DEVICES=8  MOST=8  SECONDS_EACH=0.4  LIMIT=540
#                                      LARGE=16384  STRONG=32768  TRANSPORTS="ipc host"
#
# Weak scaling (16384 x 16384 and 2048 x 1024 cells a process), strong scaling (32768 x 32768), with one
# and with "auto" steps per exchange, both transports, both precisions; bits against one process, and what
# is left after one process is killed. Tables go to OUT/scaling.txt, every measurement as a line of JSON
# to OUT/scaling.json. Efficiency is against one process of the same case, times the number of devices at
# work: MOST above DEVICES puts several processes on one device, and shows what the exchange costs. What
# does not fit in LIMIT seconds is left out, and said to be. Python's h5py is not needed.
set -eu

program=$(cd "$(dirname "${1:?the program}")" && pwd)/$(basename "$1")
mkdir -p "${2:-.}"
out=$(cd "${2:-.}" && pwd)
backend=${BACKEND:-cuda}
most=${MOST:-8}
devices=${DEVICES:-$most}
seconds=${SECONDS_EACH:-0.4}
large=${LARGE:-16384}
strong=${STRONG:-32768}
deadline=$(($(date +%s) + ${LIMIT:-540}))
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
json=$out/scaling.json
: >"$json"

# NX NY RANKS DEPTH PRECISION TRANSPORT: prints the updates per second and the time of an exchange.
measure() {
    depth=$4
    [ "$depth" = auto ] && depth='' || depth="--depth $depth"
    # shellcheck disable=SC2086 # no depth, no words
    "$program" bench --one --json --backend "$backend" --seconds "$seconds" --cells "$1x$2" --ranks "$3" \
        --precision "$5" --transport "$6" $depth >"$work/one.json" 2>"$work/error" ||
        { echo "nan nan $(tail -n 1 "$work/error")"; return; }
    cat "$work/one.json" >>"$json"
    tr ',{}[]' '\n\n\n\n\n' <"$work/one.json" | awk -F: '
        /"update_rate_cells_per_s"/ { rate = $2 } /"exchange_s"/ { exchange = $2 }
        END { print rate, exchange }'
}

# NAME NX NY is_weak DEPTH PRECISION TRANSPORT: a line per number of processes.
series() {
    first=
    ranks=1
    while [ "$ranks" -le "$most" ]; do
        ny=$3
        [ "$4" = 1 ] && ny=$(($3 * ranks))
        if [ "$(date +%s)" -ge "$deadline" ]; then
            echo "$1 $2 x $ny, $ranks processes, $5, $6, $7: left out, no time"
            return
        fi
        measured=$(measure "$2" "$ny" "$ranks" "$5" "$6" "$7")
        [ -n "$first" ] || first=${measured%% *}
        echo "$measured" | awk -v name="$1" -v nx="$2" -v ny="$ny" -v n="$ranks" -v depth="$5" -v p="$6" \
            -v t="$7" -v first="$first" -v devices="$devices" '
            $1 == "nan" { printf "%-6s %6d x %-7d %2d  %-4s  %-6s  %-4s  %s\n", name, nx, ny, n, depth, p, t, $0; next }
            { printf "%-6s %6d x %-7d %2d  %-4s  %-6s  %-4s  %10.1f GLUPS  %6.1f %%  %9.1f us/exchange\n",
                  name, nx, ny, n, depth, p, t, $1 / 1e9, 100 * $1 / first / (n < devices ? n : devices), $2 * 1e6 }'
        ranks=$((ranks * 2))
    done
}

bits() { # the same bits from 1, 2, ... processes
    cat >"$work/case.cfg" <<EOF
domain = { size = [0.1, 0.1]; cells = [1021, 1013]; };
materials = ( { name = "m"; conductivity = 40.0; density = 7000.0; heat_capacity = 450.0; } );
initial = { temperature = "300+25*sin(1e4*x+7e3*y*y)"; };
boundary = { left = { type = "temperature"; value = 371.3; }; bottom = { type = "flux"; value = 1500.0; }; };
time = { end = 0.05; };
EOF
    "$program" run "$work/case.cfg" --output "$work/one" --quiet --backend cpu --ranks 1
    ranks=1
    while [ "$ranks" -le "$most" ]; do
        for transport in ipc host; do
            "$program" run "$work/case.cfg" --output "$work/many" --overwrite --quiet --backend "$backend" \
                --ranks "$ranks" --set "run.transport=$transport"
            printf '%s processes, %s: ' "$ranks" "$transport"
            "$program" compare --bitwise "$work/one/run.h5" "$work/many/run.h5" | tail -n 1
        done
        ranks=$((ranks * 2))
    done
}

killed() { # one process of the most is killed: the others must be gone within 3 s, exit code 4
    code=0
    ISOTHERM_FAULT="send:$((most - 1)):kill:3" timeout 60 "$program" run "$work/case.cfg" --output "$work/killed" \
        --quiet --backend "$backend" --ranks "$most" 2>"$work/error" || code=$?
    echo "one of $most killed: exit code $code, $(cat "$work/error")"
}

all() {
    date -u '+%Y-%m-%d %H:%M UTC'
    "$program" --version
    "$program" devices
    echo "== bits"
    bits
    killed
    echo "== scaling"
    echo "case, grid, processes, steps per exchange, precision, transport, rate, efficiency, exchange"
    for transport in ${TRANSPORTS:-ipc host}; do
        for precision in double single; do
            for depth in auto 1; do
                series weak "$large" "$large" 1 "$depth" "$precision" "$transport"
                series weak 2048 1024 1 "$depth" "$precision" "$transport"
                series strong "$strong" "$strong" 0 "$depth" "$precision" "$transport"
            done
        done
    done
}

all 2>&1 | tee "$out/scaling.txt"
