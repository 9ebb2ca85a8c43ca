#!/bin/sh
# sluice reproduce: papers as data, what is chosen, how claims are judged, what is refused.
set -eu
. "$(dirname "$0")/common.inc"
. "$(dirname "$0")/page.inc"
. "$(dirname "$0")/sweep.inc"
cd "$work"
make_traces
mkdir -p papers/small papers/other
cp short.sluice long.sluice papers/small
cp short.sluice papers/other

cat >papers/small/paper.yaml <<'END'
title: A small paper
machine: gtx480-ciao
figures: [fig2, fig1]
END
cat >papers/small/fig1.yaml <<'END'
title: three schedulers
where: section 1, Figure 1
insns: 20K
quick: {insns: 2K, workloads: [{trace: short.sluice, as: S}]}
workloads: [{trace: short.sluice, as: S}, {trace: long.sluice, as: L}]
sets: {long: [{trace: long.sluice, as: L}]}
look: series:period=500,matrix
series:
  - {label: GTO, policy: gto}
  - {label: LRR, policy: lrr}
  - {label: best, policy: 'swl:n={n}', search: {n: [1, 24]}, best: -cycles}
metrics:
  periods: 'count(look.series.cycle > 0)'
  first: 'at(1, cycles)'
  summed: 'sum(each(cycles))'
  counted: 'count(each(warp_insns) > 0)'
  lost: 'sum(offdiag(look.matrix.lost))'
  corner: 'cell(look.matrix.lost, 0, 0)'
derived: {speedup: 'ipc / ipc["GTO"]'}
charts:
  - {kind: bars, y: ipc, over: GTO, means: [all], published: {LRR: {S: 1.5, all: 2}}}
  - {kind: time, y: [ipc, active_warps], workloads: [S]}
  - {kind: heat, y: look.matrix.lost, series: [GTO], workloads: [S]}
  - {kind: stacked, y: [{label: misses, y: l1_misses / l1_accesses}, {label: hits, y: l1_hits / l1_accesses}]}
  - {kind: table, y: [{label: launches, y: trace.launches}, {label: n, y: found.n}]}
END
cat >papers/small/fig2.yaml <<'END'
title: L1 of several sizes
where: Figure 2
workloads: [{trace: short.sluice, as: S}]
sweep: {ways: [2, 4]}
series: [{label: GTO, policy: gto, set: {l1d.ways: '{ways}'}}]
charts: []
END
cat >papers/small/claims.yaml <<'END'
claims:
  small-1: {flag: baseline, where: 1, says: GTO is GTO, type: gain, formula: 'geomean(fig1.speedup["GTO"])', value: +1%}
  small-2: {flag: prediction, kind: headline, where: 1, says: nonsense, type: gain, formula: 'mean(fig1.speedup["LRR"])', value: [9x, 7x]}
  small-3: {flag: prediction, where: 2, says: order, type: order, formula: 'fig2.ipc["GTO", "S", ways=4] < 0', direction: 'fig2.ipc["GTO", "S", ways=4] > 0'}
  small-4: {flag: prediction, where: 3, says: power, not_measurable: no data}
  small-5: {flag: baseline, where: 1, says: two parts, parts: [{type: quantity, formula: 'fig1.trace.launches["GTO", "S"]', value: 1}, {type: rate, formula: '100 * (fig1.first["GTO", "S"] == fig1.cycles["GTO", "S"])', value: 100%}, {type: order, formula: 'fig1.summed["GTO", "S"] == fig1.cycles["GTO", "S"] and fig1.counted["GTO", "S"] == 1'}]}
  small-6: {flag: baseline, where: 1, says: a series in time, type: quantity, formula: 'max(fig1.periods["GTO"])', value: 2, bound: least}
  small-7: {flag: baseline, where: 1, says: other paper, type: order, formula: 'other.fig1.ipc["GTO", "S"] == fig1.ipc["GTO", "S"]', direction: 'other.fig1.ipc["GTO", "S"] > 0'}
END
cat >papers/other/paper.yaml <<'END'
title: Another paper
machine: gtx480-khairy
END
cat >papers/other/fig1.yaml <<'END'
title: one
where: 1
workloads: [{trace: short.sluice, as: S}]
series: [{label: GTO, policy: gto}]
charts: [{kind: bars, y: ipc}]
END
SLUICE_PAPERS=$work/papers
export SLUICE_PAPERS

lists() {
	exits 0 "$sluice" reproduce --list && grep -q '^small  A small paper: 2 figures and tables, 7 claims' out &&
		[ "$(grep -n 'small/fig' out | head -1 | grep -c fig2)" = 1 ]
}
claim "--list shows papers and figures in the order of paper.yaml" lists

# verdict ID VERDICT
verdict() {
	grep -q "^$1  *$2" out || { echo "$1 is not $2" && grep "^$1" out && return 1; }
}
judges() {
	exits 0 "$sluice" reproduce --json all.json --svg drawn --markdown all.md --csv all.csv --html all.html && cat out err
	verdict small-1 met && verdict small-2 opposite && verdict small-3 direction && verdict small-4 'not measurable' &&
		verdict small-5 met && verdict small-6 met && verdict small-7 direction || return 1
	grep -q '^all  *7  *3  *2  *1  *1  *0' out || return 1
	[ -s drawn/small-fig1.svg ] && [ -s drawn/small-fig1-2.svg ] && [ -s drawn/small-fig1-3.svg ] && grep -q '<polyline' drawn/small-fig1-2.svg
}
claim "claims are judged: met, direction, opposite, not measurable, in parts and across papers" judges

writes_markdown() {
	grep -q '^| small-2 | prediction | opposite | 9x or 7x | ' all.md && grep -q '^| \*\*all\*\* | 7 | 3 | 2 | 1 | 1 | 0 |' all.md &&
		grep -q '^### fig1: three schedulers' all.md && grep -q '^`sluice reproduce' all.md &&
		grep -qE '^\| S \| 1.000 \| [0-9.]+ \| 1.500 \|' all.md &&
		[ "$(sed -n '/^## Headlines/,/^## [^H]/p' all.md | grep -c '^| small-')" = 1 ]
}
claim "Markdown has the scoreboard, claims with both values, and charts as tables with published values" writes_markdown

# holds FILE TEXT: the page has it.
holds() {
	grep -qF -e "$2" "$1" || { echo "$1 lacks $2" && return 1; }
}
writes_page() {
	holds all.html '</html>' && ! grep -qE '@[a-z]+(\.[a-z]+)?@' all.html &&
		! grep -qE '<(script|link|img)[^>]* (src|href)=' all.html && ! grep -qE '(src|href)="https?://' all.html || return 1
	holds all.html '"published_text":"9x or 7x"' && holds all.html 'no data' && holds all.html 'sluice reproduce small-3' &&
		holds all.html 'published 1.5\u003c' && holds all.html 'three schedulers' && holds all.html '"csv":"paper,figure,' &&
		[ "$(grep -o '"drawing":' all.html | wc -l)" -ge 6 ]
}
claim "one page has scoreboard, charts, published values, CSV, claims with reasons, and commands" writes_page

looks_wrong() {
	sed 's/rect class=\\"m\\"/rect class=\\"x\\"/g; s/scroll-padding-top: 12px;/&}<\/style><script>nothing()<\/script><style>{/' all.html >broken.html
	sed '$d' drawn/small-fig1.svg >broken.svg
	looks_right broken.html broken.svg >log && return 1
	cat log
	grep -q 'has no marks' log && grep -q 'broken.svg is not well-formed' log && grep -q 'nothing is not defined' log
}
in_chromium "in Chromium: no error, nothing loaded, every chart has marks, no label cut off, dark and light, phone; drawings as files, too" looks_right all.html drawn/*.svg
in_chromium "what checks the page notices a chart without marks and a script that fails" looks_wrong

needs_what_it_says() {
	exits 0 "$sluice" reproduce small-3 --db three.db && grep -q '2 runs: 0 found, 2 simulated' out && verdict small-3 direction &&
		exits 0 "$sluice" reproduce small/2 --db three.db && grep -q '2 runs: 2 found' out && verdict small-3 direction &&
		exits 0 "$sluice" reproduce small/fig1 --db three.db --quick && grep -q '4 runs: 0 found, 4 simulated' out && grep -q 'cut runs' out &&
		exits 0 "$sluice" reproduce small/fig1 --db three.db --quick && grep -q '4 runs: 4 found, 0 simulated' out
}
claim "a claim, a figure or --quick simulates no more than it needs, and truncated runs are found again, too" needs_what_it_says

plans() {
	exits 0 "$sluice" reproduce small/1 --quick --dry-run --db planned.db && cat out &&
		grep -q '^1 figures, 4 claims: 4 simulations of 1 programs on 1 machines; about 1 min at most on ' out && [ ! -e planned.db ] &&
		exits 0 "$sluice" reproduce small/2 --dry-run && grep -q ', without 2 runs that no limit bounds' out
}
claim "--dry-run says how many simulations and how long, and makes none" plans

stored_series() {
	[ "$("$sluice" results query "SELECT count(*) > 0 FROM series WHERE name = 'active_warps'" | tail -1)" = 1 ]
}
claim "time series of observers are in the database" stored_series

same_bytes() {
	exits 0 "$sluice" reproduce --json again.json || return 1
	for file in all again; do
		sed '/"finished"\|"seconds"\|"found"\|"simulated"\|"command"/d' $file.json >$file.plain
	done
	cmp all.plain again.plain
}
claim "the report has the same bytes when nothing is simulated" same_bytes

# bad WORDS FILE PROGRAM
bad() {
	cp "papers/small/$2" saved
	sed "$3" saved >"papers/small/$2"
	rc=0
	refuses "$1" "$sluice" reproduce --list || rc=1
	cp saved "papers/small/$2"
	return $rc
}
claim "a claim of another paper's name is refused" bad "claims.yaml:2:3: a claim of this paper is called small-NUMBER" claims.yaml 's/small-1:/large-1:/'
claim "a claim given twice is refused" bad "small-1 is given twice; first on line 2" claims.yaml 's/small-2:/small-1:/'
claim "an unknown type is refused with a suggestion" bad "unknown type 'gian'; did you mean 'gain'?" claims.yaml '2s/type: gain/type: gian/'
claim "a missing flag is refused" bad "the key 'flag' is missing" claims.yaml '2s/flag: baseline, //'
claim "a gain in plain percent is refused" bad "expected a ratio such as 1.54" claims.yaml '2s/+1%/1%/'
claim "an unknown figure is refused with a suggestion" bad "no figure 'fig11'; did you mean 'fig1'?" claims.yaml '2s/fig1/fig11/'
claim "a formula of many values is refused" bad "many values, by workload, where one is expected" claims.yaml '2s/geomean(\(.*\])\)/\1/; 2s/\])/]/'
claim "an unknown set in a chart is refused" bad "no set or class 'al'" fig1.yaml 's/means: \[all\]/means: [al]/'
claim "an unknown parameter of a look is refused" bad "series has no parameter 'perio" fig1.yaml 's/period=500/perio=500/'
claim "a look that is not asked for is refused" bad "look.matrix needs 'look: matrix'" fig1.yaml 's/,matrix$//'
claim "published values of no series are refused" bad "published: no series 'LRRR'" fig1.yaml 's/published: {LRR/published: {LRRR/'
claim "an unknown name on the command line is refused with a suggestion" refuses "did you mean 'small/fig1'?" "$sluice" reproduce small/fog1
claim "an unknown option is refused" refuses "--qick" "$sluice" reproduce --qick
claim "a page that cannot be written is refused before anything runs" refuses "nowhere" "$sluice" reproduce --html "$work/nowhere/x.html" --db never.db

finish
