#!/bin/bash
# What `tallow render` promises: the pictures of the run again, and others; films; no crash.
# Usage: cli_render.sh TALLOW SOURCE_DIR [CLAIM]
source "$(dirname "$0")/cli_claims.sh"

small=(--set output.width=160 --set output.height=90)
# A run of five frames without pictures; make FOLDER [options].
make() {
    local folder=$1
    shift
    expect 0 "$tallow" run "$tiny" -t 1 -q -o "$folder" --frames 4 "${small[@]}" "$@"
}
render() { "$tallow" render "$@" -t 2; }
names() { printf '%05d.png\n' "$@"; }
size_of() { # width and height in the head of a PNG file
    od -An -tu1 -j16 -N8 "$1" | awk '{print $3 * 256 + $4 "x" $7 * 256 + $8}'
}

claim_the_pictures_of_the_run_come_out_again() {
    # Large enough for the last bits of places to show: frames have floats.
    make a --set output.film=true --set output.film_format=gif --set output.width=1280 \
        --set output.height=720
    expect 0 render a -o again --film none
    diff -r a/pictures again/pictures || fail "other pictures"
    make b --set output.film=true --set output.film_format=gif --set output.colour_by=velocity \
        --set output.colour_to=2 --set output.look=surface --set camera.turn=1
    expect 0 render b --keep-pictures
    diff -r b/pictures b/render/pictures || fail "other pictures of the surface"
    has "$out" "picture 00004 (5/5)" "a picture" left "pictures in b/render/pictures"
    expect 0 render a -q -o quiet --film none
    [ -z "$out$err" ] || fail "$out$err"
    expect 0 env OMP_NUM_THREADS=1 "$tallow" render b -t 1 -o one --film none
    diff -r b/pictures one/pictures || fail "other pictures with one thread"
}

claim_a_finished_run_is_framed_by_its_frames() {
    printf '%s\n' 'spacing: 5 cm' 'duration: 0.4 s' 'frame_rate: 10' 'bodies:' \
        '  - {material: water, box: {from: [0, 0, 0], to: [0.2, 0.2, 0.4]}}' \
        'walls:' '  - {plane: z, at: 0}' 'output: {width: 160, height: 90, look: spheres}' >spread.yaml
    expect 0 "$tallow" run spread.yaml -t 1 -q -o a --keep-pictures
    expect 0 render a -o all --film none
    cmp -s a/pictures/00004.png all/pictures/00004.png && fail "the water leaves the picture"
    expect 0 render a -o one --film none -n 1
    cmp a/pictures/00001.png one/pictures/00001.png >/dev/null && fail "it is not seen from afar"
    cmp all/pictures/00001.png one/pictures/00001.png || fail "one frame has a camera of its own"
    # While it is at work, and with a camera of the scene, as the run drew it.
    expect 0 "$tallow" run spread.yaml -t 1 -q -o b --frames 2
    expect 0 render b -o again --film none
    diff -r b/pictures again/pictures || fail "other pictures of a run that is at work"
    expect 0 "$tallow" run spread.yaml -t 1 -q -o c --keep-pictures --set camera.from=[1,-2,1]
    expect 0 render c -o given --film none
    diff -r c/pictures given/pictures || fail "the camera of the scene is moved"
}

claim_options_change_the_pictures() {
    make a
    expect 0 render a -o all --film none
    [ "$(ls all/pictures)" = "$(names 0 1 2 3 4)" ] || fail "$(ls all/pictures)"
    expect 0 render a -o some --film none -n 1: --every 2 --size 96x54
    [ "$(ls some/pictures)" = "$(names 1 3)" ] || fail "$(ls some/pictures)"
    [ "$(size_of some/pictures/00001.png)" = 96x54 ] || fail "$(size_of some/pictures/00001.png)"
    expect 0 render a -o some --film none -n 2
    [ "$(ls some/pictures)" = 00002.png ] || fail "pictures of an earlier film stayed"
    local option number=0
    for option in --no-caption --scale-bar "--colour-by velocity" "--from 3,-3,2" "--fov 20deg" \
        "--look-at 0,0,50cm" "--look surface" "--colour-by velocity --colour-map magma" \
        "--colour-by velocity --range 0:9" "--colour-by velocity --no-legend" \
        "--from 0.2,0.2,0.2 --look-at 1,0,0.2"; do
        number=$((number + 1))
        # shellcheck disable=SC2086
        expect 0 render a --still 2 -o $number.png $option
    done
    [ "$(md5sum -- *.png all/pictures/00002.png | sort | uniq -w 32 | wc -l)" = $((number + 1)) ] ||
        fail "some options do nothing: $(md5sum -- *.png)"
}

claim_one_range_is_for_the_whole_film() {
    make a --set output.colour_by=velocity
    expect 0 render a -o all --film none
    expect 0 render a -o one --film none -n 4
    cmp -s all/pictures/00004.png one/pictures/00004.png || fail "the fastest frame sets the range"
    expect 0 render a -o one --film none -n 1
    cmp -s all/pictures/00001.png one/pictures/00001.png && fail "each has its own"
    return 0
}

claim_stills_sheets_turns_and_neighbours() {
    make a
    make b --set title=Second --set frame_rate=20
    expect 0 render a --still 3
    [ "$(size_of a/render/still-00003.png)" = 160x90 ] || fail "$(ls a/render)"
    expect 0 render a --sheet 3x2 -o sheet.png
    [ "$(size_of sheet.png)" = 488x184 ] || fail "$(size_of sheet.png)"
    expect 0 render a --sheet 3x2 --size 320x200 -o sheet.png
    [ "$(size_of sheet.png)" = 320x200 ] || fail "$(size_of sheet.png)"
    expect 0 render a --turntable 4 -n 2 -o turn --film none --no-caption
    [ "$(ls turn/pictures)" = "$(names 0 1 2 3)" ] || fail "$(ls turn/pictures)"
    [ "$(md5sum turn/pictures/*.png | sort | uniq -w 32 | wc -l)" = 4 ] || fail "it does not turn"
    expect 0 render a --still 2 --no-caption -o still.png
    cmp -s still.png turn/pictures/00000.png || fail "a turn does not begin at the camera"
    expect 0 render a b --side-by-side -o both --film none
    [ "$(ls both/pictures)" = "$(names 0 1 2 3 4)" ] || fail "$(ls both/pictures)"
    [ "$(size_of both/pictures/00000.png)" = 324x90 ] || fail "$(size_of both/pictures/00000.png)"
    expect 0 render a b --film none # each in its own folder
    [ "$(ls b/render/pictures)" = "$(names 0 1 2 3 4)" ] || fail "$(ls b/render)"
}

claim_films_come_in_three_formats() {
    command -v ffmpeg >/dev/null || return 0
    make a
    expect 0 render a --slow 2
    [ -s a/render/film.mp4 ] || fail "$(ls a/render)"
    has "$out" "a film in a/render/film.mp4"
    [[ $out != *"pictures in"* ]] || fail "$out"
    [ ! -e a/render/pictures ] || fail "the pictures of the film stayed"
    expect 0 render a -q --film webm --fps 10
    expect 0 render a -q --film gif --size 97x55
    expect 0 render a --film mp4 --size 97x55
    has "$err" "cut to 96 x 54"
    [ -s a/render/film.webm ] && [ -s a/render/film.gif ] || fail "$(ls a/render)"
    expect 0 env PATH=/nowhere "$tallow" render a -t 1 -o b
    has "$err" "warning: no film" "install ffmpeg"
    [ "$(ls b/pictures)" = "$(names 0 1 2 3 4)" ] || fail "the pictures are gone"
}

claim_bad_input_is_one_line() {
    make a
    mkdir empty nothing nothing/frames
    local words
    while read -r words; do
        # shellcheck disable=SC2086
        expect 2 render ${words%%|*}
        has "$err" "${words#*|}"
        [ "$(wc -l <err.txt)" -le 2 ] || fail "$err"
    done <<'END'
empty|no frames in this folder
nothing|this run has no frames
nowhere|no frames
a --look smoth|did you mean smooth?
a --look x|spheres, smooth, surface, traced, balls and ellipsoids
a --colour-map virids|did you mean viridis?
a --colour-map virids|cividis, grey and turbo
a --colour-by velocty|did you mean velocity?
a --colour-by velocty|--colour-by
a --range 3|LOW:HIGH
a --range 3:3|LOW:HIGH
a --size 1280|two numbers from 16 to 16384
a --size 8x8|two numbers from 16 to 16384
a --size 99999x99999|two numbers from 16 to 16384
a --size 100x100 --sheet 30x30|cannot be drawn
a --sheet 0x3|two numbers from 1 to 32
a --from 1,2|X,Y,Z
a --from 1,2,3kg|X,Y,Z
a --from 1,2,3 --look-at 1,2,3|the place where it is
a --fov 35|160deg
a --film mp3|did you mean mp4?
a --fps 0|0.1 to 240
a --slow -1|0.001
a --every 0|whole number
a --turntable 1|whole number
a --still 99|none of the wanted frames
a --frames 7:|the last is 00004
a --still 1 --sheet 2x2|do not go together
a --side-by-side|two runs
a a -o x|cannot hold
END
    mv a/run.yaml a/run.was
    expect 2 render a
    has "$err" run.yaml
}

claim_half_frames_and_empty_ones_are_survived() {
    make a
    head -c 300 a/frames/00004.vtp >half && cp half a/frames/00004.vtp
    expect 0 render a --film none
    has "$err" "note: skipping the last frame of a, 00004"
    [ "$(ls a/render/pictures)" = "$(names 0 1 2 3)" ] || fail "$(ls a/render/pictures)"
    cp half a/frames/00002.vtp
    expect 2 render a --film none
    has "$err" 00002.vtp
    # Everything runs out of a drain: the last frames are empty.
    printf '%s\n' 'spacing: 5 cm' 'duration: 0.2 s' 'frame_rate: 10' 'bodies:' \
        '  - {material: water, box: {from: [0, 0, 0], to: [0.1, 0.1, 0.1]}, velocity: [0, 0, -3]}' \
        'drains:' '  - {box: {from: [-1, -1, -9], to: [1, 1, -0.1]}}' \
        'output: {width: 160, height: 90, film: false}' >drain.yaml
    expect 0 "$tallow" run drain.yaml -t 1 -q -o d
    expect 0 render d --film none --colour-by velocity
    expect 0 render d --film none --look surface
    expect 0 render d --still 2 --look surface
    has "$err" "no particles"
}

claim_light_is_followed_with_the_effort_that_is_asked_for() {
    make a
    local option
    for option in "--samples 2" "--samples 3" "--samples 3 --no-denoise" "--samples 1000000 --seconds 0.2"; do
        expect 0 render a --look traced --size 64x36 --still 2 -o "traced${option// /}.png" $option
    done
    cmp -s traced--samples2.png traced--samples3.png && fail "samples make no difference"
    cmp -s traced--samples3.png traced--samples3--no-denoise.png && fail "denoising does nothing"
    expect 2 render a --look traced --samples none
    expect 2 render a --look traced --seconds soon
}

claim_povray_gets_scenes() {
    make a
    expect 0 "$tallow" export a --to povray -n 1:2
    [ "$(ls a/povray)" = $'00001.pov\n00002.pov' ] || fail "$(ls a/povray)"
    has "$(cat a/povray/00001.pov)" "#version 3.7" "camera {" "light_source {" "mesh2 {"
    rm a/run.yaml
    expect 1 "$tallow" export a --to povray
    has "$err" run.yaml
}

run_claims "${3:-}"
