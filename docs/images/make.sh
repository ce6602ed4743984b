#!/bin/sh
# Makes the pictures of this folder again, and the table of published cases in README.md.
# docs/images/make.sh PROGRAM   needs python3 with h5py and numpy; results stay in out/cases.
set -eu
program=$(realpath "${1:?usage: docs/images/make.sh PROGRAM}")
cd "$(dirname "$0")/../.."
images=docs/images results=out/cases

"$program" run inputs/plate.cfg --output $results/plate --overwrite --quiet \
    --set 'domain.cells=[256, 128]' --set time.end=2
"$program" plot $results/plate/run.h5 -o $images/plate.png
"$program" run inputs/moving_spot.cfg --output $results/moving_spot --overwrite --quiet
"$program" plot $results/moving_spot/run.h5 --time 0.7 -o $images/moving_spot.png

python3 $images/cases.py "$program" $results >$results/table.md
"$program" plot $results/nafems_t4/run.h5 --unit C --range 0,100 --contours 5 \
    -o $images/nafems_t4.png
"$program" plot $results/iso10211_2/run.h5 --unit C --contours 12 --outlines -o $images/iso10211_2.png
"$program" plot $results/rodinia_hotspot/run.h5 -o $images/rodinia_hotspot.png
python3 $images/speed.py

# The lines of the table in README.md are those that begin with the name of an input.
awk -v table=$results/table.md '
    /^\| \[[a-z0-9_]+\.cfg\]/ { next }
    { print }
    /^\| input \|/ { getline; print; while ((getline line < table) > 0) if (line ~ /^\| \[/) print line }
' README.md >$results/README.md
cp $results/README.md README.md
