#!/bin/sh
# sluice workload: what is listed and shown, names in the place of programs, and what is refused. Programs are compiled
# and run by tests/cuda/workloads.sh.
set -u
. "$(dirname "$0")/common.inc"

cd "$work" || exit 2

# ---- list and show ---------------------------------------------------------------------------------------------

lists_all() {
	exits 0 "$sluice" workload list && grep -q '^70 workloads in ' out && grep -qx 'map-reduce' out &&
		grep -q '^  kmeans-rodinia  *Rodinia  *ciao kmeans LWS, osm kmeans 1, tian kmeans, khairy KM thrashing ' out
}
claim "the list has every workload with its suite and its papers' names and classes" lists_all

shows_all() {
	exits 0 "$sluice" workload show hotspot && grep -q '^  Hotspot in CIAO .*, on gtx480-ciao$' out &&
		grep -q '^    f_smem_percent  *19 ' out && grep -q '^    barriers  *yes ' out &&
		grep -q '^  source  *.*/workloads/hotspot/hotspot' out && grep -q '^  readme  .*README' out
}
claim "a workload is shown with what papers publish, and where it lies" shows_all
claim "help describes it" exits 0 "$sluice" workload --help
claim "and checking" exits 0 "$sluice" workload check --help
claim "no subcommand" exits 2 "$sluice" workload
claim "an unknown subcommand" refuses "unknown action 'lst'" "$sluice" workload lst
claim "an unknown workload" refuses "did you mean 'hotspot'?" "$sluice" workload show hotspt

# ---- in the place of a program -----------------------------------------------------------------------------------

nothing_is_compiled() {
	refuses "$@" && [ ! -e "$SLUICE_CACHE_DIR" ]
}
for command in 'run atax' 'workload run atax' 'record atax -o x.sluice' 'compare atax --policy gto' \
	'tune atax --param swl.n=1..2'; do
	# shellcheck disable=SC2086 # words
	claim "$command: an unknown size is refused before anything is compiled" \
		nothing_is_compiled "no size 'huge'; expected tiny, small or paper" "$sluice" $command --size huge
done
for command in run record compare tune; do
	claim "$command: an unknown name gets the nearest" \
		refuses "did you mean 'atax'?" "$sluice" $command atxa --size tiny --policy gto -o x.sluice --param swl.n=1..2
done
claim "run: a name that is nothing like one" refuses "elephant: no such file, and no workload 'elephant'" \
	"$sluice" run elephant
claim "a size without its value" refuses 'no size given' "$sluice" run atax --size
claim "an unknown workload to run" refuses "did you mean 'atax'?" "$sluice" workload run atxa

a_file_has_a_slash() {
	trace atax && exits 0 "$sluice" run ./atax --machine gtx480-ciao && grep -q '^atax on gtx480-ciao' out &&
		refuses "no size 'huge'" "$sluice" run atax --size huge
	rc=$?
	rm -rf atax
	return $rc
}
trace() {
	mkdir dir && vector_add 1 >dir/kernel-1.traceg && echo kernel-1.traceg >dir/kernelslist.g &&
		"$sluice" trace import dir -o "$1" >/dev/null 2>&1
}
claim "a file of a workload's name is meant with a slash" a_file_has_a_slash

a_folder_does_not() {
	mkdir atax && refuses "no size 'huge'" "$sluice" run atax --size huge
	rc=$?
	rmdir atax
	return $rc
}
claim "a folder of a workload's name is the workload all the same" a_folder_does_not

# ---- other folders -----------------------------------------------------------------------------------------------

mkdir mine
cat >mine/index.yaml <<'END_INDEX'
workloads:
  own:
    group: mine
    about: "something"
    suite: none
    published:
      - {paper: ciao, as: OWN, class: CI, apki: 2, reason: {apki: "so it is"}}
END_INDEX
own() {
	SLUICE_WORKLOADS=$work/mine "$sluice" "$@"
}
own_folder() {
	exits 0 own workload list && grep -q '^  own  none  ciao OWN CI  something (its source is missing)$' out &&
		grep -q "^1 workloads in $work/mine\$" out && exits 0 own workload show own && grep -q 'so it is' out
}
claim "SLUICE_WORKLOADS is a folder of one's own" own_folder
claim "a workload without its source" refuses "has no source" own run own
claim "a check of it" exits 1 own workload check own
claim "says what is missing" grep -q 'own, ciao: .*is missing' "$work/out"
claim "a workload of another folder" refuses "no workload 'atax'" own run atax
claim "a folder that is not there" refuses "SLUICE_WORKLOADS is" env SLUICE_WORKLOADS=/nonesuch "$sluice" workload list

bad_index() {
	sed 's/apki: 2/akpi: 2/' mine/index.yaml >index && mv index mine/index.yaml &&
		refuses "mine/index.yaml:7:43: unknown key 'akpi'; did you mean 'apki'?" own workload list &&
		refuses 'index.yaml:7:43' own run own && refuses 'index.yaml:7:43' own workload check
}
claim "a bad index is refused with its line" bad_index
no_index() {
	rm mine/index.yaml && refuses 'mine/index.yaml: cannot be read' own workload list
}
claim "a folder without an index" no_index

# ---- check: refusals -----------------------------------------------------------------------------------------------

claim "an unknown workload to check" nothing_is_compiled "did you mean 'atax'?" "$sluice" workload check atxa
claim "an unknown size to check" nothing_is_compiled "no size 'huge'" "$sluice" workload check atax --size huge
claim "an unknown option" refuses 'unknown option' "$sluice" workload check --frob
claim "no instructions" refuses 'out of range' "$sluice" workload check --max-insns 0
claim "no jobs" refuses 'out of range' "$sluice" workload check --jobs 0

nothing_to_check() {
	exits 0 "$sluice" workload check gelu && grep -q '^0 characteristics' out
}
claim "a workload of no paper leaves nothing to check" nothing_to_check

finish
