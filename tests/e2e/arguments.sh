#!/bin/sh
# Command lines and their answers: what is wrong with the words, the files they name, or where the output should go.
set -u
. "$(dirname "$0")/common.inc"
cd "$work" || exit 2
program=$sluice
environment=

# call WORD...: the program with these words, in the environment that $environment adds to.
call() {
	# shellcheck disable=SC2086 # assignments, none with a space
	env $environment "$program" "$@"
}

# answers STATUS WORDS WORD...: that exit status, and the output (0) or the messages (all others) hold the words.
answers() {
	status=$1
	words=$2
	shift 2
	exits "$status" call "$@" || return 1
	said=$work/err
	[ "$status" = 0 ] && said=$work/out
	[ -z "$words" ] || grep -qF -e "$words" "$said" && return 0
	echo "no '$words' in:"
	cat "$said"
	return 1
}

# ---- what the rows name --------------------------------------------------------------------------------------

make_trace t
cp -r t ends && rm ends/kernel-2.traceg && printf 'kernel-1.traceg\nkernel-3.traceg\n' >ends/kernelslist.g
sed -i '/EXIT/d; s/insts = 6/insts = 5/' ends/kernel-1.traceg ends/kernel-3.traceg
mkdir -p odd && vector_add 1 | sed "s/vector_add/odd$(printf '\377')name/" >odd/kernel-1.traceg &&
	echo kernel-1.traceg >odd/kernelslist.g
call trace import t -o t.sluice >/dev/null
head -c 700 t.sluice >cut.sluice
{ head -c 200 t.sluice && printf 'XXXX' && tail -c +205 t.sluice; } >damaged.sluice
mkdir -p strange && vector_add 1 | sed 's/FADD/FROBNICATE/' >strange/kernel-1.traceg && echo kernel-1.traceg >strange/kernelslist.g
printf 'extends: h200\nname: slow\ntitle: waits\ndram: {tRC: 95}\n' >slow.yaml
echo 'neither this nor that' >file
: >empty.sluice
mkdir folder machines && echo 'title: [' >machines/broken.yaml
printf 'extends: h200\nname: mine\ntitle: one of mine\n' >mine.yaml
make_study
make_set t.sluice
few_papers tian
slow='--set sim.watchdog_cycles=1000 --set icnt.request_cycles=10000'

# ---- sluice itself, and the small commands -------------------------------------------------------------------

rows sluice <<'END'
2|commands:|
2|unknown command 'frobnicate'; see|frobnicate
2|did you mean 'run'?|rnu
2|did you mean 'run'?|help rnu
0|commands:|help
0|commands:|-h
0|usage: sluice run|help run
0|usage: sluice machine list|machine -h
2|usage: sluice machine list|machine
2|unknown action 'frob'|machine frob
2|unexpected argument 'x'|machine list x
2|unexpected argument 'x'|machine keys x
2|show: no machine given|machine show
2|unexpected argument 'x'|machine show h200 x
2|unknown option '-x'|machine show -x
2|--json: no FILE after it|machine show h200 --json
2|cannot write folder/none/x|machine show h200 --json folder/none/x
2|cannot write /dev/full|machine show h200 --json /dev/full
2|no machine 'nothing'|machine show nothing
0|"value": true|machine show h200 --json -
0|"origin": "h200.yaml:22"|machine show mine.yaml --json -
2|mine.yaml: would be overwritten|machine show mine.yaml --json mine.yaml
2|diff: no machine given|machine diff
2|name two machines, or one and --set|machine diff h200
2|--set: no KEY=VALUE after it|machine diff h200 --set
2|--json: no FILE after it|machine diff h200 a100 --json
2|--json is given twice|machine diff h200 a100 --json - --json -
2|unknown option '-x'|machine diff h200 -x
2|unexpected argument 'h100'|machine diff h200 a100 h100
2|no machine 'nothing'|machine diff nothing h200
2|no machine 'nothing'|machine diff h200 nothing
2|'x' is not section.key=value|machine diff h200 --set x
2|cannot write folder/none/x|machine diff h200 a100 --json folder/none/x
2|cannot write /dev/full|machine diff h200 a100 --json /dev/full
2|mine.yaml: would be overwritten|machine diff mine.yaml h200 --json mine.yaml
2|mine.yaml: would be overwritten|machine diff h200 mine.yaml --json mine.yaml
0|no key differs|machine diff h200 mine.yaml
0|"values": [|machine diff h200 --set dram.stacked=no --set clock.core_mhz=1000.5 --json -
0|false|machine diff h200 --set dram.stacked=no --json -
0|"fixed"|machine diff h200 --set sm.scheduler_order=fixed --json -
2|usage: sluice policy list|policy
0|usage: sluice policy list|policy -h
2|unknown action 'frob'|policy frob
2|unexpected argument 'x'|policy list x
2|no policy named|policy show
2|--machine: no M after it|policy show gto --machine
2|unknown option '--nope'|policy show gto --nope
2|unexpected argument 'extra'|policy show gto extra
2|unknown policy 'nothing'|policy show nothing
2|no machine 'nothing'|policy show gto --machine nothing
0|parameter|policy show swl
0|storage per SM|policy show ciao-c --machine gtx480-ciao
2|unexpected argument 'x'|policy hooks x
2|unexpected argument 'x'|policy hooks --markdown x
0|which warp issues?|policy hooks
0|`order`|policy hooks --markdown
2|expected NAME [DIR] [--kind KIND]|policy new
2|expected NAME [DIR] [--kind KIND]|policy new a b c
2|expected NAME [DIR] [--kind KIND]|policy new -a
2|expected NAME [DIR] [--kind KIND]|policy new a -b
2|cannot be a policy's name|policy new Upper
2|did you mean 'prefetch'|policy new mine x --kind prefech
2|expected NAME [DIR] [--kind KIND]|policy new mine --kind
2|cannot be a policy's name|policy new aaaaaaaaaabbbbbbbbbbccccccccccdddddddddde
2|not an empty folder|policy new mine file
2|not an empty folder|policy new mine t
2|No such file or directory|policy new mine folder/none/x
0|my_own.c, CMakeLists.txt and test.sh|policy new my-own folder
2|unknown policy 'nothing'|explain nothing
2|no machine 'nothing'|explain gto --machine nothing
0|given|explain gto,swl:n=2
0|the machine|explain --policy lrr
0|several answers|explain swl,ccws
0|default of pcal|explain pcal
0|is statpcal:idle=0.70:busy=0.90|policy show pcal
0|is oldest,plru|policy show baseline-tian
0|storage per SM|policy show baseline-tian
2|unexpected argument 'x'|counters x
2|usage: sluice cache list|cache
2|usage: sluice cache list|cache frob
2|usage: sluice cache list|cache list --max-size 1
2|unexpected argument 'extra'|cache list extra
2|'x' is not a whole number|cache gc --max-size x
2|expected a JSON document|chart
2|nowhere.json: cannot be read: No such file|chart nowhere.json
2|file:1:7:|chart file
2|expected a folder and a number|slurm-task
2|'y' is not a whole number|slurm-task folder y
2|1000001 is out of range|slurm-task folder 1000001
2|folder/shard-1.json: not a list of runs|slurm-task folder 1
2||library-run
END

# ---- traces ---------------------------------------------------------------------------------------------------

rows sluice <<'END'
2|usage: sluice trace info|trace
2|unknown action 'frob'|trace frob
0|option	--json|trace info --help=words
2|no trace given|trace info
2|unknown option '--nope'|trace info t --nope
2|unexpected argument 't'|trace info t t
2|nowhere: No such file or directory|trace info nowhere
2|empty.sluice|trace info empty.sluice
2|cut.sluice|trace info cut.sluice
2|file|trace info file
2|checksum does not match|trace info damaged.sluice
2|checksum does not match|trace check damaged.sluice
0|FROBNICATE|trace info strange
0|FROBNICATE|trace info strange --json -
0|8 warp|trace import t/kernel-1.traceg -o one.sluice
0|warp instructions from|trace import strange -o strange.sluice
0|3 launches, 1 copies to the device, 744 warp instructions|trace info t.sluice
0|"static_insns": 6|trace info t.sluice --json -
0|odd?name|trace info odd --json -
0|vector_add|trace info t --json info.json
2|cannot write /dev/full|trace info t --json /dev/full
2|cannot write folder/none/x|trace info t --json folder/none/x
2|no trace given|trace check
2|nowhere: No such file or directory|trace check nowhere
0|20 of 20 warps end|trace check t
1||trace check ends
2|no output given (-o)|trace import t
2|no trace given|trace import
2|--force is needed to replace 't.sluice'|trace import t -o t.sluice
0|744 warp instructions from|trace import t -o again.sluice
0|744 warp instructions from|trace import t -o again.sluice --force
2|No such file or directory|trace import t -o folder/none/x
2|nowhere: No such file or directory|trace import nowhere -o n.sluice
2|no output given (-o)|trace export t.sluice
2|nowhere: No such file or directory|trace export nowhere -o exported
0|exported: 3 launches, 744 warp instructions|trace export t.sluice -o exported --force
2|exists already|trace export t.sluice -o exported
0|exported: 3 launches|trace export t -o exported --force
2|cannot create the folder|trace export t.sluice -o file/x
2|Not a directory|trace export t.sluice -o file/x --force
END

claim "an export that is renewed refuses or keeps what is not its own" refuses 'expected an empty folder' \
	sh -c "touch exported/notes exported/kernel- exported/kernel-x && exec $sluice trace export t.sluice -o exported --force"
claim "and has not removed it" test -e exported/notes

names_ends() {
	exits 1 call trace check ends && grep -q '^ends: 0 of 16 warps end as' out &&
		[ "$(grep -c 'lanes 0xffffffff never end' out)" = 8 ]
}
claim "trace check names the warps whose lanes never end" names_ends

# ---- results ---------------------------------------------------------------------------------------------------

rows sluice <<'END'
2|there is none yet|results list
0|speed-up|compare t.sluice --policy gto --policy lrr
0|usage: sluice results list|results
2|usage: sluice results list|results --db x
2|did you mean 'list'?|results lst
2|unknown action 'xyzzyplugh'; see|results xyzzyplugh
2|list takes no argument|results list extra
2|show: the key is missing|results show
2|query: the SQL is missing|results query
2|0 is out of range|results list --limit 0
0|lrr|results list
0|gto|results list --where "policy = 'gto'" --limit 1
2|no such column: nonsense|results list --where 'nonsense = 1'
2|no run begins with 'z'|results show z
2|more than one run begins with ''|results show ''
0|1.5|results query "select 1 as a, null as b, 1.5 as c, 'x' as d"
0||results query ''
2|syntax error|results query nonsense
2|integer overflow|results query 'select abs(-9223372036854775808)'
2|integer overflow|results query 'select *, abs(-9223372036854775808) from runs'
0|id,key,status|results query 'select * from runs'
2|export: --csv FILE is missing|results export
0|id,key,status|results export --csv -
0||results export --csv all.csv --where "policy = 'gto'"
2|no such column: nonsense|results export --csv all.csv --where nonsense
2|cannot write /dev/full|results export --csv /dev/full
2|cannot write file/x|results export --csv file/x
2|file is not a database|results list --db t.sluice
2|results database /proc/none|results gc --db /proc/none
0|removed 0 runs|results gc
0|removed 0 runs|results gc --old
END

shows_one() {
	key=$(call results query "select key from runs where policy = 'gto'" | tail -1)
	exits 0 call results show "$key" && grep -q '^policy  *gto$' out && ! grep -q '^message' out
}
claim "results show prints the values that one run has" shows_one

ambiguous_shows_nothing() {
	exits 2 call results show '' && [ ! -s out ]
}
claim "and none of several" ambiguous_shows_nothing

csv_is_quoted() {
	exits 0 call results query "select runs.*, 'a \"b\", c' as \"x,y\" from runs" && head -1 out | grep -q ',"x,y"$' &&
		grep -q ',"a ""b"", c"$' out
}
claim "CSV doubles quotes" csv_is_quoted

long_condition() {
	long="policy = 'lrr'"
	while [ ${#long} -lt 3000 ]; do
		long="$long or policy = 'lrr'"
	done
	exits 0 call results list --where "$long" && ! grep -q gto out && exits 0 call results list --where "$long and 1 = 0" &&
		exits 0 call results export --csv - --where "($long) and 1 = 0" && [ "$(wc -l <out)" = 1 ]
}
claim "a long condition is asked whole" long_condition

# ---- simulations ------------------------------------------------------------------------------------------------

rows sluice <<END
2|no program or trace given|run
2|no such file, and no workload 'nowhere.sluice'|run nowhere.sluice
2|'x' is not a whole number|run t.sluice --kernel x
2|no launch 9; the trace has 3|run t.sluice --kernel 9
2|'x' is not section.key=value|run t.sluice --set x
2|--look is written to the JSON|run t.sluice --look series
2|unknown|run t.sluice --look nonsense --json x.json
0|"look"|run t.sluice --html page.html --look bypass --json - --max-insns 100
0|<!doctype html>|run t.sluice --html - --max-insns 100
2|cannot write /dev/full|run t.sluice --json /dev/full
2|cannot write /dev/full|run t.sluice --html /dev/full
0|vector_add|run t.sluice --max-insns 1G
0|vector_add|run strange --machine slow.yaml
2|cannot write file/x|run t.sluice --json file/x
2|cannot write file/x|run t.sluice --html file/x
2|no policy given|compare t.sluice
2|--policy: its value is empty|compare t.sluice --policy ''
2|--policy: its value is empty|compare t.sluice --paper tian --policy ''
2|name the same file|compare t.sluice --policy gto --html same --json same
2|'x' is not a whole number|compare t.sluice --policy gto --kernel x
2|no launch 77|compare t.sluice --policy gto --kernel 77
2|there is no paper 'nothing';|compare t.sluice --paper nothing
2|did you mean 'tian'?|compare t.sluice --paper tina
2|cannot write /dev/full|compare t.sluice --policy gto --html /dev/full
2|cannot write /dev/full|compare t.sluice --policy gto --json /dev/full
2|Not a directory|compare t.sluice/ --policy gto
0|t on h200|compare t/// --policy gto
3|gto: |compare t.sluice --policy gto $slow
2|no parameter given|tune t.sluice
2|'x' is neither ipc nor cycles|tune t.sluice --param swl.n=1..2 --goal x
2|'x' is neither exhaustive nor golden|tune t.sluice --param swl.n=1..2 --search x
2|--search golden takes one --param|tune t.sluice --param swl.n=1..2 --param swl.n=1..2 --search golden
2|cannot write /dev/full|tune t.sluice --param swl.n=1..2 --json /dev/full
0|best: swl:n=2|tune t.sluice --param swl.n=1..2 --goal cycles --search golden
2|nowhere|tune nowhere --param swl.n=1..2
2|no launch 9|tune t.sluice --param swl.n=1..2 --kernel 9
3||tune t.sluice --param swl.n=1..2 $slow
2|no machine 'nothing'|advise t.sluice --machine nothing
2|no launch 9|advise t.sluice --kernel 9
2|cannot write /dev/full|advise t --machine gtx480-ciao --quick --max-insns 10 --json /dev/full
3|makes no progress under gto|advise t.sluice --quick $slow
2|no program given|record
2|no output given (-o FILE)|record file
2|no such file, and no workload 'nowhere'|record nowhere -o x
2|no folder given|validate
2|cannot read nowhere/traces|validate nowhere
2|name the same file|validate set --json same --html same
2|would be overwritten|validate set --json set/counters.tsv
2|would be overwritten|validate set --html set/counters.tsv
2|no machine 'nothing'|validate set --machine nothing
2|cannot write file/x|validate set --json file/x
2|cannot write /dev/full|validate set --json /dev/full
0|"format": "sluice validate"|validate set --json -
3||validate set $slow
END

# ---- workloads, papers and sweeps -------------------------------------------------------------------------------

rows sluice <<'END'
2|usage: sluice workload list|workload
2|unknown action 'frob'|workload frob
2|unexpected argument 'x'|workload list x
2|show: no workload given|workload show
2|unexpected argument 'lud'|workload show lud lud
2|no workload 'nothing'|workload show nothing
2|run: no workload given|workload run
2|the workload's name comes first, not '-x'|workload run -x
2|no workload 'nothing'|workload run nothing
0|usage: sluice run|workload run --help
0|usage: sluice run|workload run lud --help
0|barriers          no|workload show atax
2|no workload 'nothing'|workload check nothing
2|'nonsense' is not a characteristic|workload check --only nonsense
2|'' is not a characteristic|workload check --only class,,apki
2|no paper 'nothing'|workload check --only class,apki --paper nothing
2|--paper: no PAPER after it|workload check --paper
2|no size 'huge'|workload check --size huge
2|cannot write file/x|workload check --json file/x lud
2|cannot write /dev/full|workload check lud --paper tian --only smem_kb --json /dev/full
0|"max_insns": 20000000|workload check lud --paper tian --only smem_kb --json -
0|0 characteristics|workload check lud --paper tian --only smem_kb --json rows.json
2|no paper, figure or claim 'nothing'; 'sluice reproduce --list'|reproduce nothing
2|no paper, figure or claim '-';|reproduce -
2|did you mean 'tian'?|reproduce tina
2|did you mean|reproduce tian/fig99
2|nowhere: No such file or directory|reproduce --list --papers nowhere
2|--papers: no DIR after it|reproduce --papers
2|--detach is for --slurm|reproduce --list --detach
2|--shared is for --slurm|reproduce --list --shared x
2|--sbatch is for --slurm|reproduce --list --sbatch x
2|cannot write file/x|reproduce --list --json file/x
0|1 figures|reproduce 'tian/Fig 8' --dry-run
0|1 figures|reproduce tian/8 tian/FIG8 --dry-run
0|simulations of|reproduce tian --dry-run
0|simulations of|reproduce tian-01 --dry-run
2|no file given|sweep
2|nowhere.yaml: cannot be read: No such file or directory|sweep nowhere.yaml
2|cannot write file/x|sweep own.yaml --json file/x
2|unable to open database file|sweep own.yaml --db /proc/none
0|2 runs: 0 found, 2 simulated|sweep own.yaml --jobs 1
0|"format": "sluice reproduction"|sweep own.yaml --json -
0|# two policies|sweep own.yaml --markdown -
0|<html|sweep own.yaml --html -
0|paper,figure,chart|sweep own.yaml --csv -
2|cannot write /dev/full|sweep own.yaml --json /dev/full
2|cannot write /dev/full|sweep own.yaml --markdown /dev/full
2|cannot write /dev/full|sweep own.yaml --html /dev/full
2|cannot write /dev/full|sweep own.yaml --csv /dev/full
2|file/x|sweep own.yaml --svg file/x
END

# Figures with a letter, or a chapter, in their names; what is known of these papers is more, and takes longer to read.
few_papers khairy
rows sluice <<'END'
0|1 figures|reproduce khairy/4.2 --dry-run
END
rm -r few-papers/khairy && few_papers ciao
rows sluice <<'END'
0|1 figures|reproduce 'ciao/Fig 8a' --dry-run
0|1 figures|reproduce ciao/8a ciao/FIG8A --dry-run
END
rm -r few-papers/ciao

# ---- completion -------------------------------------------------------------------------------------------------

# offers WORDS LINE...: the last word may become this, whole line; "" offers nothing.
offers() {
	wanted=$1
	shift
	exits 0 call complete -- "$@" || return 1
	[ -n "$wanted" ] || { [ ! -s out ] && return 0; }
	cut -f1 out | grep -qxF -e "$wanted" && return 0
	cat out
	return 1
}
while IFS='|' read -r wanted line; do
	eval "set -- $line"
	claim "sluice $line<tab>: ${wanted:-nothing}" offers "$wanted" "$@"
done <<'END'
run|r
run|help r
|nonsense ''
|trace frob ''
|run --nope=x
|run --max-insns ''
|run --policy swl:n=2
|run --policy nothing:
swl:n=|run --policy swl:
gto,lrr|run --policy gto,
--look=series|run --look=
series,matrix|run --look series,
class,apki|workload check --only class,
apki|workload check --only ''
l2.hash=|run --set l2.h
l2.hash=yes|run --set l2.hash=
--set=l2.hash=no|run --set=l2.hash=n
sm.scheduler_order=fixed|run --set sm.scheduler_order=
swl.n=|tune t --param swl.
:files|trace info --json ''
:files|machine show h200 --json ''
h200|machine show h200 --nope ''
--json|machine show h200 --js
h200|policy show gto --machine ''
--max-size|cache gc --m
|results list --limit ''
|results gc --old ''
|policy hooks --markdown ''
|policy hooks ''
--markdown|policy hooks --
:files|run --machine ./
:files|run --policy ./
:folders|toolkit ''
gto|explain gt
tian/fig8|reproduce tian/fig8
END
# ---- what the environment names -----------------------------------------------------------------------------------

many_times() {
	# shellcheck disable=SC2046,SC2086 # words
	refuses "$2" "$sluice" $3 $(yes -- "$4" | head -"$1")
}
claim "too many --set" many_times 65 '--set: given more than 64 times' 'machine diff h200' '--set l2.hash=no'
claim "too many policies over a paper's baseline" many_times 64 'more than 63 policies' 'compare t.sluice --paper tian' '--policy gto'
environment="SLUICE_CACHE_DIR=$work/file/cache"
rows sluice <<'END'
0|0 entries|cache list
0|vector_add|run t
END
mkdir -p papers/none && printf 'title: nothing\nmachine: gcn-tian\nsize: paper\n' >papers/none/paper.yaml
environment="SLUICE_PAPERS=$work/papers"
rows sluice <<'END'
2|papers/none|compare t.sluice --paper none
0|nothing: 0 figures|reproduce --list
END
echo 'title: [' >papers/none/paper.yaml
rows sluice <<'END'
2|papers/none|compare t.sluice --paper none
2|papers/none|reproduce --list
0||complete -- reproduce none/
END
environment='SLUICE_CLANG=/nonexistent SLUICE_PROGRESS_FD=9'
exec 9>progress.log
rows sluice <<'END'
1|/nonexistent|workload check lud --size tiny --paper ciao --only apki
0|vector_add|run t.sluice
0|launches|validate set
0|vector_add|run t
END
exec 9>&-
environment=
if command -v script >/dev/null; then
	on_terminal() {
		script -qec "$sluice trace info long" /dev/null >terminal </dev/null && grep -q 'importing.* MB of text' terminal
	}
	make_gather long && yes kernel-1.traceg | head -n 40 >long/kernelslist.g
	claim "on a terminal an import says how far it is" on_terminal
fi
rows sluice <<'END'
2|usage: sluice complete -- WORD...|complete
2|usage: sluice complete -- WORD...|complete run --
2|usage: sluice complete -- WORD...|complete run x y
END

finish
