#!/bin/bash
# A run that is killed (SIGKILL) again and again, at random moments, ends with the same bits.
# Usage: cli_kill.sh TALLOW SOURCE_DIR [KILLS [SEED]]. The seed is printed: give it to see it again.
set -u
tallow=$(realpath "$1")
source=$(realpath "$2")
kills=${3:-20}
RANDOM=${4:-$$}
echo "seed ${4:-$$}"
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place" || exit 1
export TALLOW_PATH=$source

fail() { echo "$*" >&2; exit 1; }
hash_of() { sed -n 's/.*"hash": "\([0-9a-f]*\)".*/\1/p' "$1/result.json"; }
now() { date +%s%N; }

# Snapshots at every second frame, a film of small pictures: all kinds of files are being written.
options=(-t 1 -q --until 0.3 --set output.film=true --set output.width=64 --set output.height=36
    --set output.snapshot_every=2)
began=$(now)
"$tallow" run "$source/tests/unit/tiny.yaml" -o whole "${options[@]}" || fail "the whole run failed"
whole_ms=$((($(now) - began) / 1000000))

# Each attempt lives for a random part of what the whole run took.
killed=0 finished=0
for ((attempt = 1; attempt <= kills; attempt++)); do
    if [ -e run/run.yaml ]; then
        "$tallow" resume run -t 1 -q &
    else
        "$tallow" run "$source/tests/unit/tiny.yaml" -o run "${options[@]}" &
    fi
    child=$!
    sleep "$(printf '0.%03d' $((RANDOM % (whole_ms / 3 + 1) % 1000)))"
    if kill -KILL $child 2>/dev/null; then killed=$((killed + 1)); fi
    wait $child 2>/dev/null
    code=$?
    [ $code = 0 ] || [ $code = 137 ] || fail "attempt $attempt ended with $code"
    if [ $code = 0 ]; then # begin anew, so that every attempt is worth something
        finished=$((finished + 1))
        [ "$(hash_of run)" = "$(hash_of whole)" ] || fail "attempt $attempt: another state"
        rm -rf run
    fi
done
if [ -e run/run.yaml ]; then
    "$tallow" resume run -t 1 -q || fail "the last resume failed"
    [ "$(hash_of run)" = "$(hash_of whole)" ] || fail "another state in the end"
    diff -r whole/frames run/frames && diff whole/frames.pvd run/frames.pvd || fail "other frames"
    if [ -e whole/film.mp4 ]; then # the pictures are gone, but for those in the film
        film_of() { ffmpeg -loglevel error -i "$1/film.mp4" -f framemd5 -; }
        diff <(film_of whole) <(film_of run) || fail "another film"
        [ ! -e whole/pictures ] && [ ! -e run/pictures ] || fail "pictures stayed"
    else
        diff -r whole/pictures run/pictures || fail "other pictures"
    fi
    # All columns but the wall time, the last one.
    diff <(sed 's/,[^,]*$//' whole/ledger.csv) <(sed 's/,[^,]*$//' run/ledger.csv) ||
        fail "another ledger"
    [ -z "$(find run -name '*.part')" ] || fail "half-written files stayed"
fi
[ $killed -ge $((kills / 2)) ] || fail "only $killed of $kills were killed in time"
echo "$killed killed, $finished finished in between, same state"
