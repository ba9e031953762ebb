#!/bin/bash
# What the command does beside running one scene: measures, comparing, sweeping, beginning anew.
# Usage: cli_everyday.sh TALLOW SOURCE_DIR [CLAIM]
source "$(dirname "$0")/cli_claims.sh"
run() { "$tallow" run "$measured" -t 1 -q "$@"; }
measured=$place/measured.yaml
cat "$tiny" - >"$measured" <<'EOF'
measure_rate: 200
measures:
  - {name: block, body: block, field: velocity_x}
  - {name: tank, wall: tank}
  - {name: gate, plane: {through: [0.5, 0, 0], normal: [1, 0, 0]}}
EOF

claim_measures_go_on_without_gaps_or_doubles() {
    expect 0 run -o whole
    expect 0 run -o parts --frames 7
    # Rows of a run that was killed after its last snapshot are made again, half a row is dropped.
    printf '7,0.19' >>parts/measures.csv
    expect 0 "$tallow" resume parts -q -t 2
    cmp whole/measures.csv parts/measures.csv || fail "rows differ"
    python3 - <<'EOF' || fail "measures.csv"
import csv
rows = list(csv.DictReader(open("whole/measures.csv")))
ledger = list(csv.DictReader(open("whole/ledger.csv")))
times = [float(r["time [s]"]) for r in rows]
assert all(a < b for a, b in zip(times, times[1:])), "times must rise"
assert len(rows) > 4 * len(ledger), (len(rows), len(ledger))
assert set(r["time [s]"] for r in ledger) <= set(r["time [s]"] for r in rows)
for axis in "xyz":
    walls = float(rows[-1][f"tank.impulse_{axis} [N s]"])
    booked = float(ledger[-1][f"wall_impulse_{axis} [N s]"])
    assert abs(walls + booked) < 1e-9 * abs(booked) + 1e-9, (axis, walls, booked)
EOF
    expect 0 "$tallow" info whole
    has "$out" gate.mass_passed block.height
    expect 0 "$tallow" info whole --json
    python3 -c 'import json; assert json.load(open("out.txt"))["measures"]["gate.mass_passed"] > 0' || fail "$out"
    expect 0 "$tallow" plot whole -c block.height,gate.mass_flow --to svg -o figures
    [ -s figures/block.height+gate.mass_flow.svg ] || fail "no plot of measures"
    [ -s whole/plots/measures.svg ] || fail "no sheet of measures"
}

claim_bad_measures_name_the_nearest_word() {
    sed 's/field: velocity_x/field: velocty_x/; s/wall: tank}/wall: tonk}/' "$measured" >bad.yaml
    expect 2 "$tallow" check bad.yaml
    has "$err" "bad.yaml:13:39: error:" "did you mean velocity_x?" "bad.yaml:14:24: error:" "did you mean tank?"
    sed 's/body: block, field/body: block, point: [0, 0, 0], field/' "$measured" >bad.yaml
    expect 2 "$tallow" check bad.yaml
    has "$err" "more than one place"
    sed 's/body: block, field: velocity_x/point: [0, 0, 0]/' "$measured" >bad.yaml
    expect 2 "$tallow" check bad.yaml
    has "$err" "has no field"
}

claim_runs_are_laid_over_each_other_and_compared() {
    expect 0 run -o a --until 0.1s
    expect 0 run -o b --until 0.1s -t 2
    expect 0 run -o c --until 0.1s --set materials.water.viscosity=10
    expect 0 "$tallow" compare a b --tolerance 0
    has "$out" "columns are the same"
    expect 1 "$tallow" compare a c --tolerance 1e-3
    has "$out" "kinetic_energy" "above 0.001 from" "block.velocity_x_max" "differ by more than 0.001"
    expect 0 "$tallow" compare a c
    expect 2 "$tallow" compare a nowhere
    has "$err" "no such folder"
    expect 2 "$tallow" compare a c --tolerance much
    expect 0 "$tallow" plot a b c
    [ "$(ls plots)" = "$(printf '%s\n' measures.png measures.svg overview.png overview.svg)" ] || fail "$(ls plots)"
    grep -q '>c<' plots/overview.svg || fail "a curve without its run"
    expect 0 "$tallow" plot a c -c max_speed --to svg -o one
    [ -s one/max_speed.svg ] || fail "no plot"
    expect 2 "$tallow" plot a c -c max_sped
    has "$err" "did you mean max_speed?"
}

claim_a_run_goes_on_with_other_values_that_leave_its_state_alone() {
    expect 0 run -o a --frames 4 --until 0.2s
    cp -r a b
    expect 0 "$tallow" resume a -q --set materials.water.viscosity=5 --set flow.cfl=0.2
    has "$(head -9 a/run.yaml)" "but for what changed on the way" "# from t = 0.1 s on: materials.water.viscosity=5"
    grep -q "from t = 0.1 s on: flow.cfl=0.2" a/log.txt || fail "log.txt"
    [ "$(tail -1 a/ledger.csv | cut -d, -f2)" = 0.2 ] || fail "it has another end"
    expect 2 "$tallow" resume b --set spacing=4cm
    has "$err" "spacing cannot change in the middle of a run"
    expect 2 "$tallow" resume b --set "bodies.block.velocity=[1,0,0]"
    has "$err" "bodies.block.velocity cannot change"
    expect 2 "$tallow" resume b --set flow.cfll=1
    has "$err" "did you mean cfl?"
    # Killed after run.yaml was written: it goes on with the new values.
    expect 0 "$tallow" resume b -q --set materials.water.viscosity=5 --frames 5
    expect 0 "$tallow" resume b -q
    has "$(head -9 b/run.yaml)" "# from t = 0.1 s on: materials.water.viscosity=5"
    expect 0 "$tallow" describe material
    has "$out" "(live)"
}

claim_a_sweep_runs_all_combinations_and_goes_on() {
    sweep() { "$tallow" sweep "$measured" --set materials.water.viscosity=0.001,1 --set "gravity=[0,0,-9.81],[0,0,-5]" \
        --set flow.scheme=explicit -t 1 --until 0.05s -o s "$@"; }
    expect 0 sweep -j 2
    has "$out" "1/4 materials.water.viscosity=0.001_gravity=0,0,-9.81: begun" "finished" "s/sweep.csv"
    [ -s s/sheet.png ] && [ -s s/plots/overview.svg ] || fail "no sheet or no plot"
    python3 - <<'EOF' || fail "sweep.csv"
import csv
rows = list(csv.DictReader(open("s/sweep.csv")))
assert [(r["materials.water.viscosity"], r["gravity"]) for r in rows] == [
    ("0.001", "[0,0,-9.81]"), ("0.001", "[0,0,-5]"), ("1", "[0,0,-9.81]"), ("1", "[0,0,-5]")], rows
assert all(r["state"] == "finished" and r["flow.scheme"] == "explicit" for r in rows)
assert all(float(r["time [s]"]) == 0.05 and float(r["block.height [m]"]) > 0 for r in rows)
EOF
    local folder="s/materials.water.viscosity=1_gravity=0,0,-5"
    rm "$folder/result.json" # as if it had been killed
    expect 0 sweep
    has "$out" "1/4 materials.water.viscosity=0.001_gravity=0,0,-9.81: done before" "4/4 materials.water.viscosity=1_gravity=0,0,-5: going on"
    expect 2 "$tallow" sweep "$measured" --set spacing=5cm,7kPa -o bad
    has "$err" "spacing=7kPa" "expected a length"
    [ ! -e bad ] || fail "a bad sweep left a folder"
    expect 2 "$tallow" sweep "$measured" --set spacing=5cm,5cm -o bad
    has "$err" "two runs would be called"
    expect 0 sweep --slurm
    has "$out" "#SBATCH --array=0-3%1" "'--set=gravity=?0,0,-5?'" resume
    bash -n out.txt || fail "the script is no script"
}

claim_a_sweep_that_is_interrupted_takes_its_runs_along() {
    "$tallow" sweep "$measured" --set spacing=2cm,2.5cm --until 100s -t 1 -j 2 -o s >out.txt 2>err.txt &
    local process=$!
    for _ in $(seq 300); do
        [ -e s/spacing=2cm/ledger.csv ] && [ -e s/spacing=2.5cm/ledger.csv ] && break
        sleep 0.1
    done
    kill -INT $process
    wait $process
    [ $? = 130 ] || fail "another exit code"
    has "$(cat err.txt)" "to go on: the same command"
    grep -q interrupted s/sweep.csv || fail "$(cat s/sweep.csv)"
    local run
    for run in 2cm 2.5cm; do
        "$tallow" info "s/spacing=$run" | grep -q "state *interrupted" || fail "a run is left"
    done
}

claim_new_scenes_are_good_and_overwrite_nothing() {
    local kind
    for kind in drop melt pour slump; do
        expect 0 "$tallow" new "my $kind" --like $kind -q
        expect 0 "$tallow" check "my $kind.yaml" -q
        [ -z "$out$err" ] || fail "$kind: $out$err"
        expect 0 "$tallow" run "my $kind.yaml" --frames 1 -t 1 -q -o $kind --no-film --spacing 1cm
    done
    expect 2 "$tallow" new "my drop"
    has "$err" "is there already"
    expect 2 "$tallow" new other --like met
    has "$err" "did you mean melt?"
    expect 0 "$tallow" new plain.yaml
    has "$out" "tallow run plain.yaml"
    grep -q "schema=$source/scenes/scene.schema.json" plain.yaml || fail "no schema"
    python3 -c 'import jsonschema, yaml' 2>/dev/null || return 0
    "$tallow" describe --schema >schema.json
    sed -i '1s/schema=.*/schema=scene.schema.json/' ./*.yaml
    expect 0 python3 "$source/tests/unit/check_schema.py" schema.json ./*.yaml "$source/scenes"
}

run_claims "${3:-}"
