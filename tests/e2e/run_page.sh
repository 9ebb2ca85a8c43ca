#!/bin/sh
# sluice run --html and compare --html: a page that holds its data, whatever is in them; the same bytes every time.
set -u
. "$(dirname "$0")/common.inc"
. "$(dirname "$0")/page.inc"

trace=$work/program
make_trace "$trace"
cd "$work" || exit 2

# shellcheck disable=SC2120 # called through exits and others
run() {
	"$sluice" run "$trace" --machine gtx480-ciao "$@"
}

page_is_self_contained() {
	exits 0 run --html page.html || return 1
	grep -q '"format": "sluice run"' page.html && grep -q '</html>' page.html && ! grep -q '@[A-Z_]*@' page.html &&
		! grep -qE '<(script|link|img)[^>]* (src|href)=' page.html && ! grep -qE 'https?://' page.html &&
		grep -q 'launches' out && [ "$(wc -c <page.html)" -lt 300000 ]
}
claim "the page holds its data, loads nothing, and is small; the summary is still printed" page_is_self_contained

says_what_it_turns_on() {
	exits 0 run --html page.html && grep -q -- '--html turns on the observers series, matrix' err &&
		grep -q 'Observed by' page.html && grep -q '"observers": "series, matrix' page.html
}
claim "observers are turned on and named, on standard error and in the page" says_what_it_turns_on

bytes_repeat() {
	exits 0 run --html one.html --json one.json --threads 1 && exits 0 run --html two.html --threads 3 --json two.json &&
		cmp one.html two.html && cmp one.json two.json && cmp one.html page.html
}
claim "the same bytes for any number of threads, with JSON or without" bytes_repeat

# The look at time does not depend on how often SMs and memory meet.
quantum_does_not_matter() {
	exits 0 run --look series:period=100 --json q1.json --quantum 1 && exits 0 run --look series:period=100 --json q8.json --quantum 8 || return 1
	grep -v '"quantum"' q1.json >a && grep -v '"quantum"' q8.json >b && cmp a b &&
		sed -n '/"dram_read_bytes": \[/,/\]/p' a | grep -q '[1-9]'
}
claim "L2 and DRAM over time do not depend on the quantum" quantum_does_not_matter

nothing_is_lost() {
	# Bytes over the periods are those of the launch, less what launching itself reads.
	python3 - one.json <<'END'
import json, sys
for launch in json.load(open(sys.argv[1]))["launches"]:
    counters, look = launch["counters"], launch["look"]
    series = look["series"]
    assert sum(series["dram_write_bytes"]) == counters["dram_write_bytes"], "DRAM writes"
    assert 0 <= sum(series["dram_read_bytes"]) <= counters["dram_read_bytes"], "DRAM reads"
    assert sum(series["l1_accesses"]) == counters["l1_accesses"], "L1 accesses"
    assert sum(series["l1_misses"]) == counters["l1_misses"], "L1 misses"
    assert series["period_cycles"] == series["sampled_cycles"] == 250
    sms = look["sms"]["counters"]
    for name in sms:
        assert sum(sms[name]) == counters[name], name
    parts = [name for name in sms if name == "issue_cycles" or name.startswith("stall_")]
    assert sum(series["l2_read_sectors"]) > 0, "L2 reads"
    assert all(sum(sms[name][i] for name in parts) == counters["cycles"] for i in range(15)), "cycles of an SM"
    distance = look["distance"]
    assert sum(distance["requests"]) + distance["cold"] == distance["accesses"] == look["locality"]["accesses"]
END
}
if command -v python3 >/dev/null; then
	claim "periods, SMs and distances add up to the launch's counters" nothing_is_lost
fi

# ---- untrusted names ----------------------------------------------------------------------------------

strange_names_stay_text() {
	mkdir -p strange
	name='</script><script>window.hacked=1</script><img src=x onerror=hacked=1>'
	sed "s|kernel name = .*|kernel name = $name|" "$trace/kernel-1.traceg" >strange/kernel-1.traceg
	sed 's|kernel name = .*|kernel name = <!--<script>@REPORT_DATA@ @SCRIPT@|' "$trace/kernel-2.traceg" >strange/kernel-2.traceg
	printf 'kernel-1.traceg\nkernel-2.traceg\n' >strange/kernelslist.g
	cp -r strange 'strange <b>&"' || return 1
	exits 0 "$sluice" run 'strange <b>&"' --machine gtx480-ciao --html strange.html || return 1
	grep -q 'hacked=1' strange.html && [ "$(grep -c '</script>' strange.html)" = 2 ] && ! grep -q '<script>window' strange.html
}
claim "names with script elements, comments and markers stay text" strange_names_stay_text

# ---- programs: source and misses ----------------------------------------------------------------------------

source_is_shown() {
	cat >helper.h <<'END'
__device__ inline float fetch(const float *x, int i)
{
	return x[i * 33]; // from the header </script>
}
END
	cat >walk.cu <<'END'
#include "helper.h"
__global__ void walk(const float *x, float *y, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int k = 0; k < 8; k++)
		sum += x[(i * 64 + k * 999) % n]; // here it misses
	y[i] = sum + fetch(x, i % 100);
}
int main()
{
	float *x, *y;
	cudaMalloc(&x, 400000);
	cudaMalloc(&y, 4096);
	cudaMemset(x, 0, 400000);
	walk<<<8, 128>>>(x, y, 100000);
	return cudaDeviceSynchronize() != cudaSuccess;
}
END
	exits 0 "$sluice" run walk.cu --machine gtx480-ciao --html walk.html || return 1
	grep -o '"sources".*' walk.html >sources
	grep -q '"name": "walk.cu", "readable": true' sources && grep -q 'here it misses' sources &&
		grep -q '"name": "helper.h", "readable": true' sources && grep -q 'from the header \\u003c/script' sources &&
		! grep -qF "$work" walk.html || return 1
	rm helper.h && exits 0 "$sluice" run walk.cu --machine gtx480-ciao --html gone.html
	# Without the header it does not compile any more; what was recorded stays.
	[ "$got" = 0 ] || grep -q 'helper.h' err
}
if "$sluice" cc --version >/dev/null 2>&1; then
	claim "lines of the program and of its headers are shown with their source, without the host's paths" source_is_shown
else
	echo "skipped - source of programs: no clang"
fi

# ---- comparisons ---------------------------------------------------------------------------------------------

comparison_has_looks() {
	exits 0 "$sluice" compare "$trace" --machine gtx480-ciao --policy gto --policy lrr --html both.html && grep -q 'turns on the observers' err &&
		grep -q 'simulated 2 of 2 runs' err && [ "$(grep -o '"distance": {' both.html | wc -l)" = 2 ] &&
		exits 0 "$sluice" compare "$trace" --machine gtx480-ciao --policy gto --policy lrr --html again.html --jobs 1 &&
		grep -q 'simulated 0 of 2 runs' err && cmp both.html again.html
}
claim "a comparison shows what observers saw of every run, and finds it again" comparison_has_looks

# ---- as a reader sees it -------------------------------------------------------------------------------------

looks_wrong() {
	sed 's/svg.addEventListener("pointerup"/svg.addEventListener("never"/' page.html >broken.html
	sed 's/<main>/&<img alt="">/; s/class: "line m"/class: "line"/' page.html >other.html
	sed 's/--soft: #5d6b7c/--soft: #b0b8c4/; s/.memory { display: flex/.memory { min-width: 1500px; display: flex/' page.html >pale.html
	looks_right broken.html other.html pale.html >log && return 1
	cat log
	grep -q 'has a contrast of' log && grep -q 'on a screen of 800 pixels the page is' log || return 1
	grep -q 'brushed: ' log && grep -q 'has no marks' log && grep -q 'a name became an element' log
}
pages="page.html strange.html both.html"
[ -f walk.html ] && pages="$pages walk.html"
# shellcheck disable=SC2086 # one word per page
in_chromium "in Chromium: no error, nothing loaded, marks in every chart, brushing and keys zoom all, dark, light, phone" looks_right $pages
in_chromium "what checks the page notices a brush that does nothing, a chart without marks, a name that became an element, pale text, a page too wide" looks_wrong

# ---- refusals ------------------------------------------------------------------------------------------------

claim "an unwritable page is refused before the work" refuses 'cannot write' run --html "$work/nowhere/x.html"
claim "one file for JSON and page" refuses 'the same file' run --html x --json x
claim "a page over its own trace" refuses 'kernelslist.g' "$sluice" run "$trace/kernelslist.g" --html "$trace/kernelslist.g"

claim "no temporary file stays" nothing_is_left

finish
