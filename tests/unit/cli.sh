#!/bin/bash
# What the command promises: usage, exit codes, files, and what happens when things go wrong.
# Usage: cli.sh TALLOW SOURCE_DIR [CLAIM]
source "$(dirname "$0")/cli_claims.sh"
hash_of() { sed -n 's/.*"hash": "\([0-9a-f]*\)".*/\1/p' "$1/result.json"; }
run() { "$tallow" run "$tiny" -t 1 "$@"; }

claim_help_is_there_for_every_command() {
    expect 0 "$tallow" help
    has "$out" run live resume sweep new check describe list info plot compare export surface render bench
    local command
    for command in run live resume sweep new check describe list info plot compare export surface render bench help version generate; do
        expect 0 "$tallow" $command --help
        has "$out" "usage: tallow $command" examples:
        [ "$(wc -l <out.txt)" -le 30 ] || fail "help of $command is longer than a screen"
        awk 'length > 90 {exit 1}' out.txt || fail "help of $command is too wide"
        expect 0 "$tallow" help $command
    done
    expect 0 "$tallow" version
    has "$out" "tallow 0."
}

claim_unknown_words_name_the_nearest() {
    expect 2 "$tallow" rnu
    has "$err" "did you mean run?"
    expect 2 "$tallow" run "$tiny" --thread5 1
    has "$err" "did you mean --threads?"
    expect 2 "$tallow" run "$tiny" -x
    has "$err" "no option -x"
    expect 2 "$tallow" list scnes
    has "$err" "did you mean scenes?"
    expect 2 "$tallow" describe wal
    has "$err" wall
    expect 2 "$tallow" export . --to plyy
    has "$err" "did you mean ply?"
    expect 2 "$tallow"
    expect 2 "$tallow" run
    expect 2 "$tallow" run a b
    expect 2 "$tallow" run "$tiny" --threads many
    has "$err" "whole number"
}

claim_a_bad_scene_is_shown_with_a_caret() {
    printf 'spacing: 2 cm\ndurration: 1 s\nbodies:\n  - {material: water, sphere: {center: [0, 0, 1], radius: -1}}\n' >bad.yaml
    expect 2 "$tallow" check bad.yaml
    has "$err" "bad.yaml:2:1: error:" $'    durration: 1 s\n    ^\n' duration "bad.yaml:4:" "2 errors"
    expect 2 "$tallow" check bad.yaml --json
    python3 -c 'import json,sys; d = json.load(open("out.txt"))
assert not d["good"] and [f["line"] for f in d["findings"]] == [2, 4], d' || fail "$out"
    expect 2 "$tallow" run bad.yaml
    has "$err" "bad.yaml:2:1: error:"
    [ ! -e out ] || fail "a bad scene left a folder"
    expect 0 "$tallow" check "$tiny"
    has "$out" good
    # Bodies that overlap show only when they are filled; an earlier run stays as it was.
    sed 's/^walls:/  - {name: twin, material: water, box: {from: [0, 0, 0], to: [0.4, 0.4, 0.4]}}\n&/' \
        "$tiny" >overlap.yaml
    expect 2 "$tallow" check overlap.yaml
    has "$err" twin
    expect 0 run -o a --frames 1 -q
    expect 2 "$tallow" run overlap.yaml -o a --force
    [ -e a/result.json ] || fail "a scene that cannot be built erased an earlier run"
    expect 2 "$tallow" run overlap.yaml -o b
    [ ! -e b ] || fail "a scene that cannot be built left a folder"
}

claim_scenes_that_are_none_are_refused() {
    expect 2 "$tallow" run missing.yaml
    has "$err" missing
    : >empty.yaml
    expect 2 "$tallow" run empty.yaml
    expect 2 "$tallow" check empty.yaml
    truncate -s 1G garbage.yaml
    SECONDS=0
    expect 2 "$tallow" check garbage.yaml
    [ $SECONDS -lt 5 ] || fail "a huge file took $SECONDS s"
    head -c 100000 /dev/urandom >noise.yaml
    expect 2 "$tallow" check noise.yaml
    mkdir folder
    expect 2 "$tallow" run folder
    expect 2 "$tallow" resume folder
    expect 2 "$tallow" resume nowhere
    expect 2 "$tallow" info folder
}

claim_set_changes_the_scene() {
    expect 0 run -o a --frames 1 --set materials.water.viscosity=0.5 --spacing 10cm -q
    has "$(cat a/run.yaml)" "viscosity: 0.5" "spacing: 0.1"
    [ -z "$out" ] || fail "--quiet printed: $out"
    expect 2 run -o b --set bodies.block.colour=red
    has "$err" --set
    expect 2 run -o b --set nonsense
    [ ! -e b ] || fail "a bad --set left a folder"
}

claim_a_run_leaves_what_it_says() {
    expect 0 run -o a --until 0.1
    has "$out" "finished: frame 4 of 4" "hash $(hash_of a)" frames.pvd ledger.csv run.yaml
    [ "$(ls a/frames)" = "$(printf '%05d.vtp\n' 0 1 2 3 4)" ] || fail "frames: $(ls a/frames)"
    [ "$(wc -l <a/ledger.csv)" = 6 ] || fail "$(cat a/ledger.csv)"
    [ "$(grep -c 'frames/0000' a/frames.pvd)" = 5 ] || fail "$(cat a/frames.pvd)"
    [ -z "$(find a -name '*.part')" ] || fail "half-written files: $(find a -name '*.part')"
    expect 0 "$tallow" info a
    has "$out" finished particles mass energy_error
    expect 0 "$tallow" info a --json
    python3 -c 'import json; d = json.load(open("out.txt"))
assert d["state"] == "finished" and d["last"]["frame"] == 4 and d["last"]["mass"] > 0, d' || fail "$out"
    expect 0 run -o b --until 0.1 --json
    python3 -c 'import json; d = [json.loads(l) for l in open("out.txt")]
assert [e["frame"] for e in d[:-1]] == [0, 1, 2, 3, 4] and d[-1]["state"] == "finished", d' || fail "$out"
    # run.yaml is the scene again.
    expect 0 "$tallow" run a/run.yaml -o c -t 1 -q
    [ "$(hash_of a)" = "$(hash_of c)" ] || fail "run.yaml gives another run"
}

claim_threads_do_not_change_the_result() {
    expect 0 run -o a --frames 4 -q
    expect 0 run -o b --frames 4 -q -t 3
    [ "$(hash_of a)" = "$(hash_of b)" ] || fail "$(hash_of a) is not $(hash_of b)"
}

claim_an_earlier_run_is_replaced_only_by_force() {
    expect 0 run -o a --frames 3 -q
    touch a/mine a/frames/mine.vtp
    local before=$(find a -type f -exec md5sum {} + | sort)
    expect 2 run -o a --frames 1
    has "$err" "not empty" --force
    [ "$before" = "$(find a -type f -exec md5sum {} + | sort)" ] || fail "a refused run changed files"
    expect 0 run -o a --frames 1 -q --force
    [ -e a/mine ] && [ -e a/frames/mine.vtp ] || fail "--force removed files of others"
    [ ! -e a/frames/00003.vtp ] || fail "--force left frames of the earlier run"
}

claim_a_run_killed_at_once_leaves_nothing_in_the_way() {
    mkdir -p a/frames a/pictures a/snapshots
    touch a/log.txt
    expect 0 run -o a --frames 1 -q
    mkdir -p b/frames
    touch b/frames/mine
    expect 2 run -o b --frames 1 -q
    has "$err" "not empty"
}

claim_two_runs_do_not_share_a_folder() {
    "$tallow" run "$tiny" -t 1 -o a --until 30 -q &
    local first=$!
    until [ -e a/frames/00000.vtp ]; do sleep 0.02; done
    expect 0 "$tallow" info a
    has "$out" running
    expect 2 "$tallow" resume a
    has "$err" "another run"
    expect 2 run -o a --force
    kill -KILL $first
    wait $first 2>/dev/null
    expect 0 "$tallow" info a
    has "$out" killed "tallow resume a"
}

claim_an_unwritable_place_is_an_error() {
    [ "$(id -u)" = 0 ] || { # root may write anywhere
        mkdir locked && chmod a-w locked
        expect 1 run -o locked/a
        has "$err" locked "ermission"
    }
    : >file
    expect 1 run -o file/a
    has "$err" file
    expect 1 run -o /proc/nowhere
}

claim_a_full_disk_is_told_and_can_be_resumed() {
    expect 0 run -o whole -q
    ( # Frames fit, snapshots do not.
        size=$(stat -c %s whole/snapshots/00020.h5) frame=$(stat -c %s whole/frames/00020.vtp)
        [ "$frame" -lt "$size" ] || exit 99
        ulimit -f $(((frame + size) / 2048))
        run -o a >out.txt 2>err.txt
    )
    local code=$?
    [ $code = 1 ] || fail "exit code $code: $(cat out.txt err.txt)"
    has "$(cat err.txt)" snapshots "tallow resume a" "it got to frame 2"
    [ -z "$(find a -name '*.part')" ] || fail "half-written files"
    has "$("$tallow" info a)" failed
    expect 0 "$tallow" resume a -t 1 -q
    [ "$(hash_of a)" = "$(hash_of whole)" ] || fail "resumed to another state"
}

# interrupt SIGNAL DIR [OPTION...]: starts a run and sends the signal when two frames are there.
interrupt() {
    local signal=$1 folder=$2
    shift 2
    "$tallow" run "$tiny" -t 1 -o "$folder" "$@" >out.txt 2>err.txt &
    local child=$!
    until [ -e "$folder/frames/00002.vtp" ]; do sleep 0.01; done
    kill -"$signal" $child
    wait $child
}

claim_a_signal_stops_and_resume_goes_on() {
    expect 0 run -o whole -q
    local signal
    for signal in INT TERM; do
        interrupt $signal $signal
        local code=$?
        [ $code = 130 ] || fail "exit code $code after SIG$signal: $(cat out.txt err.txt)"
        has "$(cat err.txt)" interrupted "tallow resume $signal"
        has "$("$tallow" info $signal)" interrupted
        ls $signal/snapshots/*-step-*.h5 >ls.txt || fail "no snapshot between frames"
        expect 0 "$tallow" resume $signal/ -t 2
        [ "$(hash_of $signal)" = "$(hash_of whole)" ] || fail "resumed to another state"
        diff <(cut -d, -f1-16 whole/ledger.csv) <(cut -d, -f1-16 $signal/ledger.csv) ||
            fail "another ledger"
        diff -r whole/frames $signal/frames || fail "other frames"
        diff whole/frames.pvd $signal/frames.pvd || fail "another list of frames"
    done
    # What is finished stays as it is.
    local before=$(find INT -type f -not -name log.txt -exec md5sum {} + | sort)
    expect 0 "$tallow" resume INT
    [ "$before" = "$(find INT -type f -not -name log.txt -exec md5sum {} + | sort)" ] ||
        fail "resuming a finished run changed it"
}

claim_a_run_can_stop_at_a_frame_and_grow_longer() {
    expect 0 run -o whole -q
    expect 0 run -o a --frames 5
    has "$out" "stopped: frame 5 of 20"
    expect 0 "$tallow" resume a -t 1 -q
    [ "$(hash_of a)" = "$(hash_of whole)" ] || fail "stopping at a frame changed the run"
    expect 0 run -o b --until 0.25 -q
    expect 0 "$tallow" resume b --until 0.5 -t 1 -q
    [ "$(hash_of b)" = "$(hash_of whole)" ] || fail "a run made longer is another run"
    has "$(cat b/run.yaml)" "duration: 0.5"
}

claim_resume_keeps_where_the_run_was_to_stop() {
    expect 0 run -o whole --frames 8 -q
    interrupt INT a --frames 8
    expect 0 "$tallow" resume a -t 1
    has "$out" "stopped: frame 8 of 20"
    [ "$(hash_of a)" = "$(hash_of whole)" ] || fail "resumed to another state"
    interrupt INT b --until 0.2
    expect 0 "$tallow" resume b -t 1
    has "$out" "finished: frame 8 of 8"
    # What stopped where it was to goes on; what is told to stop elsewhere does.
    expect 0 "$tallow" resume a -t 1 --frames 10
    has "$out" "stopped: frame 10 of 20"
    expect 0 "$tallow" resume a -t 1
    has "$out" "finished: frame 20 of 20"
    local before=$(find a -type f -not -name log.txt -exec md5sum {} + | sort)
    expect 0 "$tallow" resume a
    [ "$before" = "$(find a -type f -not -name log.txt -exec md5sum {} + | sort)" ] ||
        fail "resuming a finished run changed it"
}

claim_the_scheme_is_chosen_and_explained() {
    expect 0 "$tallow" check "$tiny"
    has "$out" "particles: 512" "memory: " "scheme: explicit, since" "support: 2 spacings" \
        "explicit steps, or" "estimate"
    expect 0 "$tallow" check "$tiny" --json --set materials.water.viscosity=1e4
    python3 -c 'import json; d = json.load(open("out.txt"))["expected"]
assert d["scheme"] == "coupled" and d["particles"] == 512 and d["steps"] > 1 and d["bytes"] > 1e5, d' || fail "$out"
    expect 0 run -o a --frames 1 -q
    has "$(cat a/run.yaml)" "#   scheme: explicit, since" "#   expected: some" "scheme: explicit"
    has "$(cat a/log.txt)" "scheme: explicit, since" "support: 2 spacings"
    expect 0 "$tallow" info a
    has "$out" "scheme     explicit, since" "support    2 spacings"
    # A run that is made longer keeps its scheme, even if the other would be chosen now.
    local thick="materials.water.viscosity=20 bodies.block.velocity=[0,0,5]"
    thick="--set ${thick// / --set } --spacing 2cm --set frame_rate=10"
    expect 0 run -o b $thick --until 0.1 -q
    has "$(cat b/run.yaml)" "scheme: explicit"
    expect 0 "$tallow" check b/run.yaml --until 100 --set flow.scheme=automatic
    has "$out" "scheme: coupled"
    expect 0 "$tallow" resume b -t 1 --until 0.12 -q
    has "$(cat b/run.yaml)" "scheme: explicit"
}

claim_info_leaves_out_what_is_zero() {
    expect 0 run -o a --frames 2 -q
    expect 0 "$tallow" info a
    has "$out" kinetic_energy energy_error
    [[ $out != *bond_energy* && $out != *emitted_mass* ]] || fail "rows of zeros: $out"
    grep -Eq '^  [a-z_]+ +0 +0 ' out.txt && fail "rows of zeros: $out"
    return 0
}

claim_long_hints_end_with_a_whole_word() {
    printf 'spacing: 2 cm\nbodies: [{zzzzzzzz: 1}]\nwalls: [{zzzzzzzz: 1}]\n' >bad.yaml
    expect 2 "$tallow" check bad.yaml
    local line
    while read -r line; do
        [[ $line == *" …" ]] || continue
        line=${line% …}
        [[ $line == *, ]] || fail "cut within a word: $line"
    done <err.txt
    grep -q '^    one of: .* …$' err.txt || fail "no hint was long enough to be cut: $err"
}

# Draws the progress of a run on a terminal of so many columns, and prints each state of the line
# with its length.
on_terminal() {
    python3 - "$1" "$tallow" run "$tiny" -t 1 -o "wide$1" --frames 4 <<'PYTHON'
import fcntl, os, pty, re, struct, sys, termios
child, terminal = pty.fork()
if child == 0:
    os.execv(sys.argv[2], sys.argv[2:])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0))
text = b""
try:
    while piece := os.read(terminal, 65536):
        text += piece
except OSError:
    pass
for line in re.split("[\r\n]+", re.sub("\033\\[[0-9;]*[mK]", "", text.decode())):
    if line.startswith("frame "):
        print(len(line), line)
PYTHON
}

claim_progress_fits_the_terminal() {
    local width
    for width in 20 40 60 100; do
        on_terminal $width >lines.txt
        [ -s lines.txt ] || fail "no progress at $width columns"
        # The first may come before the terminal has its size.
        sed 1,2d lines.txt | awk -v w=$width '$1 >= w { print; exit 1 }' ||
            fail "wider than $width columns"
    done
    on_terminal 40 | sed 1,2d >lines.txt
    grep -Eqv '^[0-9]+ frame [0-9]+/4(  t [0-9./]+ s)?(  [-0-9:.]+( s)? left)?$' lines.txt &&
        fail "cut at 40 columns: $(cat lines.txt)"
    return 0
}

claim_doubts_are_told_and_end_a_strict_run() {
    # The uppermost layer stands a tenth of a spacing below the lid.
    sed 's/material: water/material: honey/; s/0.4, 0.4\]}}/0.4, 0.33]}}/; s/^walls:.*/&\n  - {name: lid, plane: -z, at: 0.33}/' \
        "$tiny" >lid.yaml
    local start="$tallow run lid.yaml -t 1 --set flow.scheme=coupled"
    expect 0 $start -o a
    has "$err" "warning: walls at"
    [ "$(grep -c 'warning walls' a/log.txt)" = 1 ] || fail "$(cat a/log.txt)"
    python3 -c 'import json; d = json.load(open("a/result.json"))["warnings"]
assert d[0]["code"] and d[0]["worst"] > d[0]["limit"] and d[0]["count"] >= 1, d' || fail "$(cat a/result.json)"
    expect 0 "$tallow" info a
    has "$out" "walls" "nearer than 0.15 spacings" "first at"
    expect 0 "$tallow" info a --json
    python3 -c 'import json; assert json.load(open("out.txt"))["doubts"]' || fail "$out"
    expect 1 $start -o b --strict
    has "$err" "walls at" "tallow resume b"
    has "$("$tallow" info b)" failed because
    # Who goes on knows of it.
    expect 0 "$tallow" resume b -t 1 -q
    [ "$(hash_of a)" = "$(hash_of b)" ] || fail "resumed to another state"
    expect 0 run -o c --strict -q
}

claim_a_damaged_snapshot_gives_way_to_the_one_before() {
    expect 0 run -o whole -q
    expect 0 run -o a --frames 9 -q
    printf 'xxxx' | dd of=a/snapshots/00009.h5 bs=1 seek=5000 conv=notrunc 2>/dev/null
    : >a/frames/00010.vtp.part
    expect 0 "$tallow" resume a -t 1
    has "$err" warning 00009.h5
    [ "$(hash_of a)" = "$(hash_of whole)" ] || fail "resumed to another state"
    [ -z "$(find a -name '*.part')" ] || fail "half-written files stayed"
    # When none is good nothing is thrown away.
    expect 0 run -o b --frames 9 -q
    truncate -s 100 b/snapshots/*.h5
    expect 2 "$tallow" resume b
    [ -e b/frames/00009.vtp ] || fail "frames were removed though nothing could be resumed"
    has "$("$tallow" info b)" "stopped, frame 9"
}

claim_frames_export() {
    expect 0 run -o a --frames 2 -q
    expect 0 "$tallow" export a --to csv --frames 1:
    [ "$(ls a/csv)" = "$(printf '00001.csv\n00002.csv')" ] || fail "$(ls a/csv)"
    [ "$(wc -l <a/csv/00001.csv)" = 513 ] || fail "rows: $(wc -l <a/csv/00001.csv)"
    expect 0 "$tallow" export a --to ply -n 2 -o points
    [ "$(ls points)" = 00002.ply ] && [ "$(head -c3 points/00002.ply)" = ply ] || fail "$(ls points)"
    expect 2 "$tallow" export a --to csv --frames 7:9
    expect 2 "$tallow" export a --to csv --frames x
    expect 2 "$tallow" export a
    printf 'x' | dd of=a/frames/00001.vtp bs=1 seek=3000 conv=notrunc 2>/dev/null
    expect 2 "$tallow" export a --to csv
    has "$err" 00001.vtp
}

claim_surfaces_come_out() {
    expect 0 run -o a --frames 2 -q --set output.surface=true
    [ "$(ls a/surface)" = "$(printf '%05d.ply\n' 0 1 2)" ] || fail "$(ls a/surface)"
    expect 0 "$tallow" surface a -o again
    has "$out" "frame 00002 (3/3)" "512 particles" triangles left "surfaces in again/"
    expect 0 "$tallow" surface a --to ply,obj,vtp,glb --frames 1 --cells 0.3 -o all -q
    [ -z "$out$err" ] || fail "not quiet: $out$err"
    [ "$(ls all)" = "$(printf '00001.%s\n' glb obj ply vtp; echo surface.pvd)" ] || fail "$(ls all)"
    expect 0 "$tallow" surface a -n 1 --by-material -o parts -q
    [ "$(ls parts)" = 00001-water.ply ] || fail "$(ls parts)"
    expect 0 "$tallow" surface a/frames/00001.vtp -o one -q -t 1
    cmp one/00001.ply again/00001.ply || fail "one frame differs from a frame of many"
    # A frame that is being written, or was cut short.
    head -c 3000 a/frames/00002.vtp >a/frames/00003.vtp
    expect 0 "$tallow" surface a -o cut
    has "$err" "skipping the last frame" 00003.vtp
    [ "$(ls cut)" = "$(printf '%05d.ply\n' 0 1 2)" ] || fail "$(ls cut)"
    cp a/frames/00003.vtp a/frames/00001.vtp
    expect 2 "$tallow" surface a -o cut
    has "$err" 00001.vtp "cut short"
    # Resuming and starting anew take surfaces with them, and nothing else.
    touch a/surface/mine.txt
    expect 0 run -o a --frames 1 -q --force
    [ "$(ls a/surface)" = mine.txt ] || fail "$(ls a/surface)"
}

claim_surfaces_of_nothing_are_refused() {
    expect 2 "$tallow" surface nowhere
    has "$err" nowhere "no frames"
    expect 0 run -o a --frames 1 -q --set output.frames=false
    expect 2 "$tallow" surface a
    has "$err" "no frames" output.frames
    expect 0 run -o b --frames 1 -q
    cp b/frames/00001.vtp alone.vtp
    expect 2 "$tallow" surface alone.vtp
    has "$err" "--spacing"
    expect 0 "$tallow" surface alone.vtp --spacing 5cm -o alone -q
    [ "$(ls alone)" = alone.ply ] || fail "$(ls alone)"
    expect 2 "$tallow" surface b --cells 7
    has "$err" "0.1 to 1"
    expect 2 "$tallow" surface b --spacing 5kg
    expect 2 "$tallow" surface b --to plyy
    has "$err" "did you mean ply?"
    expect 2 "$tallow" surface b --to ply,
    expect 2 "$tallow" surface b --smooth -1
    expect 2 "$tallow" surface b --frames 7:
}

pictures_of_film() { # how many there are
    ffmpeg -loglevel error -i "$1" -f framemd5 - | grep -vc '^#'
}

claim_pictures_stay_only_when_asked_for() {
    command -v ffmpeg >/dev/null || return 0
    local film=(-q --set output.slow=1 --set output.film=true --set output.width=64 --set output.height=36)
    expect 0 run -o a --until 0.05 "${film[@]}"
    [ -s a/film.mp4 ] && [ -s a/poster.png ] && [ ! -e a/pictures ] || fail "$(ls a a/pictures)"
    expect 0 run -o b --until 0.05 --keep-pictures "${film[@]}"
    [ "$(ls b/pictures)" = "$(printf '%05d.png\n' 0 1 2)" ] || fail "$(ls b/pictures)"
    expect 0 run -o c --until 0.05 --set output.frames=false "${film[@]}"
    [ "$(ls c/pictures)" = "$(printf '%05d.png\n' 0 1 2)" ] || fail "without frames: $(ls c)"
    # A run that stops before its end goes on with them.
    expect 0 run -o d --until 0.05 --frames 1 "${film[@]}"
    [ "$(ls d/pictures)" = "$(printf '%05d.png\n' 0 1)" ] || fail "$(ls d/pictures)"
    expect 0 "$tallow" resume d -q -t 1
    [ ! -e d/pictures ] && [ "$(pictures_of_film d/film.mp4)" = 3 ] || fail "$(ls d)"
    # Killed when the film was there and the pictures were not yet gone.
    mkdir -p d/pictures && cp b/pictures/00001.png d/pictures && echo mine >d/pictures/mine
    expect 0 "$tallow" resume d -q -t 1
    [ "$(ls d/pictures)" = mine ] || fail "$(ls d/pictures)"
    # A finished run that becomes longer has one whole film: of the same pictures.
    expect 0 "$tallow" resume a -q -t 1 --until 0.1 --keep-pictures
    [ "$(pictures_of_film a/film.mp4)" = 5 ] || fail "$(pictures_of_film a/film.mp4) pictures"
    cmp a/pictures/00001.png b/pictures/00001.png || fail "drawn again, it is another"
}

claim_a_film_comes_out() {
    command -v ffmpeg >/dev/null || return 0
    expect 0 run -o a --frames 2 -q --set output.film=true --set output.width=160 \
        --set output.height=90 --set output.colour_by=velocity
    [ "$(ls a/pictures)" = "$(printf '%05d.png\n' 0 1 2)" ] || fail "$(ls a/pictures)"
    [ -s a/film.mp4 ] && [ -s a/poster.png ] || fail "no film or no poster"
    expect 0 "$tallow" run a/run.yaml -t 1 -o d --frames 2 -q --set output.film_format=gif \
        --set output.slow=4 --set output.film_rate=10
    [ -s d/film.gif ] && [ ! -e d/film.mp4 ] || fail "$(ls d)"
    expect 2 run -o b --set output.film=true --set output.colour_by=velocty
    has "$err" velocity
    expect 0 env PATH=/nowhere "$tallow" run "$tiny" -t 1 -o c --frames 1 --set output.film=true \
        --set output.width=160 --set output.height=90
    has "$err" "no film" ffmpeg
}

claim_the_ledger_is_plotted() {
    expect 0 run -o a --frames 3
    has "$out" plots/overview.svg
    [ "$(ls a/plots)" = "$(printf 'overview.png\noverview.svg')" ] || fail "$(ls a/plots)"
    expect 0 "$tallow" plot a/
    has "$out" a/plots/energy.svg a/plots/energy.png a/plots/overview.svg
    python3 -c 'import glob, xml.dom.minidom as m
for f in glob.glob("a/plots/*.svg"): m.parse(f)
t = m.parse("a/plots/overview.svg").getElementsByTagName("text")
assert t[0].firstChild.data == "A small block of water collapses", t[0].toxml()' || fail "not SVG"
    expect 0 "$tallow" plot a -q -c kinetic_energy,max_speed --log xy --size 500x300 --to png -o p
    [ -z "$out" ] && [ "$(ls p)" = kinetic_energy+max_speed.png ] || fail "$out $(ls p)"
    [ "$(head -c 24 p/*.png | tail -c 8 | od -An -tx1)" = " 00 00 01 f4 00 00 01 2c" ] || fail size
    expect 0 "$tallow" plot a -c iterations_per_step,steps_per_frame --over frame --to svg -o p
    # A new run, and one that goes on, leave no plots of what is gone, and none of others' files.
    touch a/plots/mine.svg
    expect 0 "$tallow" plot a -q -c kinetic_energy,max_speed
    expect 0 "$tallow" resume a -t 1 -q --frames 4
    [ "$(ls a/plots)" = "$(printf 'mine.svg\noverview.png\noverview.svg')" ] || fail "$(ls a/plots)"
    expect 0 run -o a --frames 1 -q --force --no-plots
    [ "$(ls a/plots)" = mine.svg ] || fail "$(ls a/plots)"
    has "$(cat a/run.yaml)" "plots: false"
}

claim_ledgers_that_cannot_be_plotted_are_told() {
    expect 0 run -o a --frames 2 -q --no-plots
    expect 2 "$tallow" plot nowhere
    has "$err" "no such folder"
    mkdir empty
    expect 2 "$tallow" plot empty
    has "$err" "no ledger.csv"
    head -1 a/ledger.csv >empty/ledger.csv
    expect 2 "$tallow" plot empty
    has "$err" "no row yet"
    printf '1,2\n' >>empty/ledger.csv
    expect 2 "$tallow" plot empty
    has "$err" "line 2"
    [ "$(ls empty)" = ledger.csv ] || fail "$(ls empty)"
    expect 2 "$tallow" plot a -c kinetic_enegry
    has "$err" "did you mean kinetic_energy?"
    expect 2 "$tallow" plot a -c mass,,dt
    expect 2 "$tallow" plot a --over tiem
    has "$err" "did you mean time?"
    expect 2 "$tallow" plot a --to jpeg
    has "$err" "svg and png"
    expect 2 "$tallow" plot a --log z
    expect 2 "$tallow" plot a --size 100
    expect 2 "$tallow" plot a --size 1x1
    [ -z "$(ls a/plots)" ] || fail "$(ls a/plots)"
    : >file
    expect 1 "$tallow" plot a -o file/b
    # The row that a run is writing is left out.
    printf '3,0.1,' >>a/ledger.csv
    expect 0 "$tallow" plot a -q
    has "$(cat a/plots/overview.svg)" ">3 rows, "
}

claim_lists_and_descriptions_are_there() {
    expect 0 "$tallow" list scenes --names
    has "$out" dam-break
    expect 0 "$tallow" list
    has "$out" water viscosity kernel
    expect 0 "$tallow" list --json
    python3 -m json.tool <out.txt >pretty.txt || fail "$out"
    expect 0 "$tallow" describe wall
    has "$out" contact no-slip
    expect 0 "$tallow" describe --json
    python3 -m json.tool <out.txt >pretty.txt || fail "not JSON"
    expect 0 "$tallow" bench --particles 2000 --repeats 1 --json
    python3 -c 'import json; d = json.load(open("out.txt"))
assert d["one"]["updates_per_second"] > 0 and d["bytes_per_particle"] > 0, d' || fail "$out"
}

claim_completions_are_well_formed() {
    expect 0 "$tallow" generate bash
    bash -n out.txt || fail "bash does not read it"
    # shellcheck disable=SC1091
    (. ./out.txt; COMP_WORDS=(tallow re) COMP_CWORD=1; _tallow; [ "${COMPREPLY[*]}" = "resume render" ]) ||
        fail "bash completes nothing"
    # shellcheck disable=SC1091
    (. ./out.txt; COMP_WORDS=(tallow plot a --to s) COMP_CWORD=4; _tallow; [ "${COMPREPLY[*]}" = svg ]) ||
        fail "bash does not complete formats"
    local shell
    for shell in zsh fish; do
        expect 0 "$tallow" generate $shell
        if command -v $shell >/dev/null; then $shell -n out.txt || fail "$shell does not read it"; fi
    done
    expect 2 "$tallow" generate tcsh
    expect 2 "$tallow" generate bash run
    "$tallow" help >/dev/full 2>err.txt && fail "a full standard output went unnoticed"
    return 0
}

# Roff that neither warns nor leaves escapes behind, as lintian looks at it.
reads_as_a_page() {
    [ -z "$(man --warnings -E UTF-8 -l -Tutf8 -Z out.txt 2>&1 >/dev/null)" ] ||
        fail "man warns of $1: $(man --warnings -E UTF-8 -l -Tutf8 -Z out.txt 2>&1 >/dev/null)"
}

claim_every_command_and_the_scene_have_a_man_page() {
    local names name
    names=$("$tallow" help | sed -n '/^usage/,/^to begin/s/^  \([a-z]*\) .*/\1/p')
    has "$names" run generate
    expect 0 "$tallow" generate man
    has "$out" ".TH \"TALLOW\" 1" "EXIT STATUS"
    for name in $names; do
        has "$out" ".BR tallow?-$name (1)"
    done
    if command -v man >/dev/null; then reads_as_a_page tallow; fi
    for name in $names; do
        expect 0 "$tallow" generate man "$name"
        has "$out" "tallow?-$name ?- " ".SH EXAMPLES"
        [ -e "$(dirname "$tallow")/tallow-$name.1" ] || [ ! -e "$(dirname "$tallow")/tallow.1" ] ||
            fail "the build makes no page of $name"
        if command -v man >/dev/null; then reads_as_a_page "$name"; fi
    done
    expect 0 "$tallow" generate man scene
    has "$out" ".SS wall" ".B spacing" "m; required."
    if command -v man >/dev/null; then
        reads_as_a_page scene
        man -E ascii -l -Tascii out.txt 2>/dev/null | grep -q 'spacing' || fail "no spacing in the page"
    fi
    expect 2 "$tallow" generate man rnu
    has "$err" "did you mean run?"
}

run_claims "${3:-}"
