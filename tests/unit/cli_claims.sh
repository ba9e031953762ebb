# What tests of the command share. Sourced with the arguments TALLOW SOURCE_DIR [CLAIM]; the script
# ends with run_claims: every function claim_* is one test, in a folder of its own, and a failing
# line ends it.
set -u
tallow=$(realpath "$1")
source=$(realpath "$2")
tiny=$source/tests/unit/tiny.yaml
place=$(mktemp -d)
trap 'chmod -R u+w "$place"; rm -rf "$place"' EXIT
cd "$place" || exit 1
export NO_COLOR=1 TALLOW_PATH=$source

fail() { echo "    $*" >&2; exit 1; }

# expect CODE COMMAND...: runs it, keeps what it prints in $out and $err, and checks the exit code.
expect() {
    local code=$1 got
    shift
    "$@" >out.txt 2>err.txt
    got=$?
    out=$(cat out.txt) err=$(cat err.txt)
    [ $got = "$code" ] || fail "exit code $got, not $code: $*"$'\n'"$out$err"
}
# has TEXT PATTERN...: every pattern is somewhere in the text.
has() {
    local text=$1 pattern
    shift
    for pattern; do
        [[ $text == *$pattern* ]] || fail "no '$pattern' in: $text"
    done
}

run_claims() {
    local failures=0 number=0 claim
    for claim in ${1:-$(compgen -A function claim_)}; do
        number=$((number + 1))
        mkdir -p "$claim"
        if (cd "$claim" && "$claim"); then
            echo "ok $number ${claim#claim_}"
        else
            echo "not ok $number ${claim#claim_}"
            failures=$((failures + 1))
        fi
    done
    echo "1..$number"
    exit $((failures > 0))
}
