#!/bin/sh
# One small figure of each of the five papers, from its programs (.cu) to its verdicts: recorded, simulated (cut, as under
# --quick), judged and drawn. Values and verdicts are those of the papers' own files; where the model or a mechanism
# changes them on purpose, they change here, too.
set -eu
. "$(dirname "$0")/common.inc"
cd "$work"

# Of LCM's figure one program of twelve, a quarter as far, with the claims that need no other.
cp -r "$root/papers" .
sed -i 's/^workloads: all/workloads: [HS]/' papers/lcm/fig6.yaml
sed -i 's/insns: 2M/insns: 500K/' papers/lcm/paper.yaml
awk '/^  lcm-[0-9]+:/ { keep = $1 ~ /^lcm-(02|03):/ } !/^  / || keep' "$root/papers/lcm/claims.yaml" >papers/lcm/claims.yaml

reproduces() {
	exits 0 "$sluice" reproduce ciao/9 osm/table1 lcm/6 tian/12 khairy/5.2 --quick --papers papers --allow-programs --csv values.csv --svg drawn --html page.html
	cat err out
	grep -q ', 0 failed' out
}
claim "a figure of each paper is recorded, simulated, judged and written" reproduces

# verdicts VERDICT ID...
verdicts() {
	want=$1
	shift
	for id in "$@"; do
		grep -qE "^$id +$want " out || { echo "not $want: $(grep "^$id " out)" && return 1; }
	done
}
cp out verdicts.out
judged() {
	cp verdicts.out out
	verdicts met osm-48 osm-49 osm-50 osm-51 osm-52 osm-53 ciao-67 && verdicts direction ciao-41 tian-37 khairy-58 &&
		verdicts opposite ciao-40 lcm-02 lcm-03
}
claim "verdicts are those of these runs" judged

# value PAPER,FIGURE,CHART,Y,SERIES,X LOW HIGH
value() {
	awk -F, -v row="$1" -v low="$2" -v high="$3" '
		$1 "," $2 "," $3 "," $4 "," $5 "," $6 == row { seen = 1; bad = !($7 != "" && $7 >= low && $7 <= high); at = $7 }
		END { if (!seen || bad) { print row ": " (seen ? at : "not there") ", expected " low " to " high; exit 1 } }' values.csv
}
measured() {
	value 'osm,table1,1,first,Volta,L1D hit' 28 35 && value 'osm,table1,1,first,Volta,L1D miss in memory' 430 490 &&
		value 'osm,table1,2,second,Volta,L1D miss in L2' 184 204 && value 'osm,table1,1,first,OSM,shared memory miss' 264 356 &&
		value 'tian,fig12,1,time over nw with 16 KB,16KB,nw-noSPM' 3.1 3.7 &&
		value 'tian,fig12,1,time over nw with 16 KB,64KB,nw' 0.97 1.15 &&
		value 'khairy,fig5_2,1,thread_ipc,SWT,24' 180 225 && value 'khairy,fig5_2,1,thread_ipc,SWT,1' 40 50 &&
		value 'lcm,fig6,1,ipc / baseline,LCM,HS' 0.9 1.1
}
claim "values are those of these runs" measured

# ATAX walks rows, then columns: IPC of the second half of a run is more than twice that of the first.
phases() {
	awk -F, '$2 == "fig9" && $4 == "thread_ipc" && /Best-SWL, ATAX/ { v[++n] = $(NF - 1) }
		END {
			for (i = 1; i <= n; i++)
				if (i <= n / 2) a += v[i]; else b += v[i]
			print n " points, " a / (n / 2) " and " b / (n / 2)
			exit !(n > 50 && b > 2 * a)
		}' values.csv
}
claim "time series show the two phases of ATAX" phases

drawn() {
	for name in ciao-fig9 osm-table1 lcm-fig6 tian-fig12 khairy-fig5_2; do
		grep -q 'class="m"' "drawn/$name.svg" || { echo "$name has no marks" && return 1; }
	done
	[ "$(grep -o '"drawing":' page.html | wc -l)" -ge 7 ]
}
claim "every figure is drawn" drawn

finish
