#!/bin/sh
# What is in the way: an installation without its parts, a full disk, folders that are files, objects that are cut off.
set -u
. "$(dirname "$0")/common.inc"
cd "$work" || exit 2
cc=${CC:-cc}
echo 'neither this nor that' >file
make_trace t
"$sluice" trace import t -o t.sluice >/dev/null

# ---- the program alone -------------------------------------------------------------------------------------------

mkdir alone
cp "$sluice" alone/sluice
alone=$work/alone/sluice
while IFS='|' read -r words line; do
	# shellcheck disable=SC2086 # a command and its words
	claim "without its parts, sluice $line: $words" says 2 "$words" "$alone" $line
done <<'END'
lacks its share/sluice/machines|machine list
lacks its share/sluice/machines|run t.sluice
lacks its share/sluice/machines|explain gto
lacks its share/sluice/workloads|workload list
lacks its share/sluice/workloads|workload show lud
lacks its share/sluice/workloads|workload run lud
lacks its share/sluice/workloads|workload check lud
lacks its share/sluice/papers|reproduce --list
lacks its share/sluice/papers|compare t.sluice --paper ciao
lacks its share/sluice/examples/policy|policy new mine
lacks its share/sluice/include/cuda|toolkit kit
END
completes_what_it_has() {
	for line in 'run --machine' 'workload show' 'run'; do
		# shellcheck disable=SC2086 # a command and its words
		exits 0 "$alone" complete -- $line '' && [ ! -s err ] || return 1
	done
	exits 0 "$alone" complete -- reproduce '' && ! grep -q / out
}
claim "completion offers what there is, without a word" completes_what_it_has

ill() {
	exits 1 "$alone" doctor || return 1
	for part in machines workloads papers 'CUDA headers' 'CUDA runtime'; do
		grep -q "^missing *$part" out || { echo "no $part" && cat out && return 1; }
	done
	[ "$(grep -c 'install sluice again, whole' out)" = 5 ]
}
claim "doctor names every part, and what to do" ill

bare_headers() {
	says 2 'libsluicert.so is neither next to the program nor in its lib/sluice' env SLUICE_INCLUDE_DIR="$root/include/cuda" "$alone" toolkit kit
}
claim "a toolkit needs the runtime, too" bare_headers

links_nothing() {
	mkdir -p bin clang/19/include && : >clang/19/include/__clang_cuda_device_functions.h && : >c.c || return 1
	printf '#!/bin/sh\necho "%s"\n' "$work/clang/19" >bin/any-clang && chmod +x bin/any-clang
	says 2 'libsluicert.so is neither next to the program' env SLUICE_CLANG="$work/bin/any-clang" SLUICE_INCLUDE_DIR="$root/include/cuda" "$alone" cc c.c
}
claim "as does a program" links_nothing

# half_template FILE WORDS: all of the policy's templates but this one, which is missing or a folder.
half_template() {
	rm -rf alone/share mine && mkdir -p alone/share/sluice/examples && cp -r "$root/examples/policy" alone/share/sluice/examples/ || return 1
	rm "alone/share/sluice/examples/policy/$1"
	[ "$2" = missing ] || mkdir "alone/share/sluice/examples/policy/$1"
	says 2 "$3" "$alone" policy new mine
}
for name in few_loads.c CMakeLists.txt test.sh; do
	claim "a template without $name" half_template $name missing 'install sluice again, whole'
	claim "one in which it is a folder" half_template $name folder "$name: cannot be read"
done

# ---- doctor -----------------------------------------------------------------------------------------------------

few_papers tian
mkdir -p bin broken none clang/19/include
: >clang/19/include/__clang_cuda_device_functions.h
echo 'title: [' >broken/broken.yaml
for tool in sh env cat grep; do
	ln -s "$(command -v $tool)" bin/
done
printf '#!/bin/sh\n[ "$1" = -print-resource-dir ] && echo "%s"\n[ "$1" = -print-targets ] && echo "$TARGETS"\nexit 0\n' "$work/clang/19" >bin/fake-clang
printf '#!/bin/sh\necho slurm 23.11\n' >bin/sbatch
chmod +x bin/fake-clang bin/sbatch

# diagnoses STATUS LINE [ASSIGNMENT...]: doctor ends so, and a line begins with the words, however many spaces are between them.
diagnoses() {
	status=$1
	line=$2
	shift 2
	exits "$status" env "$@" "$sluice" doctor || return 1
	tr -s ' ' <out | grep -qF -e "$line" && return 0
	cat out
	return 1
}
machine_files() {
	diagnoses 1 'missing machines 1 in' SLUICE_MACHINES="$work/broken" && diagnoses 1 'missing machines 0 in' SLUICE_MACHINES="$work/none"
}
claim "a machine file that cannot be read, or none" machine_files
claim "and the list says which" says 0 'broken  (cannot be read' env SLUICE_MACHINES="$work/broken" "$sluice" machine list
mkdir open && chmod 777 open
echo 'this is no database, but long enough to be read as the beginning of one, which it is not either' >bad.db
claim "a folder of machines that is not there" diagnoses 1 'missing machines' SLUICE_MACHINES="$work/nowhere"
claim "a cache that others can write to" diagnoses 1 'chmod o-w' SLUICE_CACHE_DIR="$work/open"
claim "a database that is none" diagnoses 1 'missing results database' SLUICE_RESULTS="$work/bad.db"
claim "a clang without PTX" diagnoses 1 'cannot make PTX' PATH="$work/bin" SLUICE_CLANG=fake-clang TARGETS=x86-64
claim "a clang with it, and no g++" diagnoses 0 'optional g++' PATH="$work/bin" SLUICE_CLANG=fake-clang TARGETS=nvptx64
claim "Slurm" diagnoses 0 'ok Slurm slurm 23.11' PATH="$work/bin" SLUICE_CLANG=fake-clang TARGETS=nvptx64
claim "papers that are none" diagnoses 1 'missing papers' SLUICE_PAPERS="$work/broken/none"
claim "workloads that are none" diagnoses 1 'missing workloads' SLUICE_WORKLOADS="$work/broken/none"
claim "a cache that has no place" diagnoses 1 'missing cache' -u SLUICE_CACHE_DIR -u XDG_CACHE_HOME -u HOME
claim "results that have none" diagnoses 1 'missing results database' -u SLUICE_RESULTS -u XDG_DATA_HOME -u HOME
claim "nothing is known of a cache below what is not there" diagnoses 0 '/no/such/folder (made when it is needed)' \
	SLUICE_CACHE_DIR=/no/such/folder SLUICE_RESULTS=nowhere/results.db PATH="$work/bin" SLUICE_CLANG=fake-clang TARGETS=nvptx64
claim "JSON that cannot be written" says 2 'cannot write /dev/full' "$sluice" doctor --json /dev/full
claim "nor anywhere" says 2 'cannot write file/x' "$sluice" doctor --json file/x
odd_name() {
	exits 0 env PATH="$work/bin" SLUICE_CLANG=fake-clang TARGETS=nvptx64 SLUICE_CACHE_DIR="$work/$(printf 'odd\377name')" "$sluice" doctor --json - &&
		grep -q 'odd?name' out
}
claim "a name that JSON cannot have keeps its place" odd_name
odd_file() {
	printf 'extends: h200\nname: mine\ntitle: one of mine\ndram: {stacked: no}\n' >"$(printf 'odd\377.yaml')"
	exits 0 "$sluice" machine show "$(printf './odd\377.yaml')" --json - && grep -q '"origin": "odd?.yaml:4"' out
}
claim "so does one of a machine file" odd_file
claim "JSON in a file" says 0 'Nothing that sluice needs' env PATH="$work/bin" SLUICE_CLANG=fake-clang TARGETS=nvptx64 "$sluice" doctor --json doctor.json

# ---- full disks -------------------------------------------------------------------------------------------------

# to_full COMMAND...: standard output is full.
to_full() {
	"$@" >/dev/full 2>err
	[ $? = 2 ] && grep -q 'cannot write' err && return 0
	cat err
	return 1
}
make_study
make_set t.sluice
"$sluice" compare t.sluice --policy gto --policy lrr >/dev/null 2>&1
while read -r line; do
	# shellcheck disable=SC2086 # a command and its words
	claim "standard output that is full: $line" to_full "$sluice" $line
done <<'END'
--version
--help
help
help run
counters
counters --markdown
policy list
machine list
machine keys
workload list
run t
trace info t
machine show h200
machine show h200 --json -
machine diff h200 a100
machine diff h200 a100 --json -
policy hooks
explain gto
trace info t.sluice --json -
trace check t.sluice
results list
results export --csv -
results gc
compare t.sluice --policy gto
compare t.sluice --policy gto --json -
tune t.sluice --param swl.n=1..2
advise t.sluice --machine gtx480-ciao --quick --max-insns 10
run t.sluice --html -
validate set
validate set --json -
workload show lud
workload check lud --paper tian --only smem_kb
workload check lud --paper tian --only smem_kb --json -
sweep own.yaml --csv -
reproduce --list
cache list
doctor
toolkit full
END
no_room() {
	"$sluice" run nowhere >/dev/full 2>err
	[ $? = 2 ] && ! grep -q 'cannot write' err
}
claim "what went wrong before is what is told" no_room

# ---- toolkits ---------------------------------------------------------------------------------------------------

if [ -e "$(dirname "$sluice")/libsluicert.so" ]; then
	while IFS='|' read -r words line; do
		eval "set -- $line"
		claim "toolkit $line: $words" refuses "$words" "$sluice" toolkit "$@"
	done <<'END'
expected one folder|
expected one folder|a b
expected one folder|--nope
file/kit: Not a directory|file/kit
sluice did not make it|file
sluice did not make it|t
a path with quotes|'a"b'
END
	mkdir empty
	claim "an empty folder is taken" says 0 'nvcc is' "$sluice" toolkit empty
	# obstructed NAME: something of others stands where the toolkit's part belongs.
	obstructed() {
		rm -rf kit && "$sluice" toolkit kit >/dev/null && rm -rf "kit/$1" && mkdir "kit/$1" && : >"kit/$1/other" || return 1
		refuses "kit/$1:" "$sluice" toolkit kit
	}
	for part in sluice-toolkit include lib targets/x86_64-linux/include targets/x86_64-linux/lib samples/common/inc \
		lib64/libcudart.so lib64/libculibos.a lib64/libcuda.so.1 version.txt version.json bin/nvcc bin/cuobjdump; do
		claim "something of others in place of $part" obstructed $part
	done
	if [ -e "$(dirname "$sluice")/libcublas.so" ]; then
		claim "and of a library of mathematics" obstructed lib64/libcublas.so
		claim "and of its archive" obstructed lib64/libcublas_static.a
	fi
	no_folder() {
		rm -rf kit && "$sluice" toolkit kit >/dev/null && rm -rf kit/lib64 && : >kit/lib64 || return 1
		refuses 'kit/lib64/stubs: Not a directory' "$sluice" toolkit kit
	}
	claim "a file in place of a folder" no_folder
	quoted() {
		mkdir -p "it's" && cp "$sluice" "it's/sluice" && rm -rf kit || return 1
		says 0 'nvcc is' env SLUICE_INCLUDE_DIR="$root/include/cuda" SLUICE_LIBRARY_DIR="$(dirname "$sluice")" "it's/sluice" toolkit kit &&
			says 0 'release 12' kit/bin/nvcc --version
	}
	claim "a sluice whose path has a quote" quoted
fi

# ---- objects that cuobjdump reads ---------------------------------------------------------------------------------

dump() {
	"$sluice" toolkit --dump-ptx "$@"
}
# object NAME ASSEMBLY
object() {
	printf '%b\n' "$2" >"$1.s" && $cc -c "$1.s" -o "$1.o"
}
object good '.section .nv_fatbin,"a"\n.byte 0, 0\n.asciz ".version 7.0\\n.target sm_70, debug\\n"\n.byte 0\n.asciz "other text\\n"'
object endless '.section .nv_fatbin,"a"\n.asciz ".version 7.0\\n"\n.ascii "without an end"\n.section .behind,"a"\n.ascii "x"'
object nobits '.section .nv_fatbin,"aw",@nobits\n.zero 64'
object without '.data\n.long 1'
head -c 40 good.o >cut.o
{ head -c 4 good.o && printf '\001' && tail -c +6 good.o; } >class.o
head -c "$(($(wc -c <good.o) - 64))" good.o >short.o
{ head -c 62 good.o && printf '\377\377' && tail -c +65 good.o; } >names.o
{ head -c 58 good.o && printf '\001\000' && tail -c +61 good.o; } >entry.o
{ head -c 40 good.o && printf '\377\377\377\377\377\377\377\177' && tail -c +49 good.o; } >table.o
printf '.version 8.0\n.target sm_90\n' >text.ptx
: >empty.ptx
dumps() {
	exits 0 dump -ptx good.o text.ptx || return 1
	[ "$(grep -c 'Fatbin ptx code' out)" = 3 ] && grep -q '^arch = sm_70$' out && grep -q '^arch = ?$' out && grep -q '^code version = 8.0$' out
}
claim "texts of objects and files are shown, each with what it says of itself" dumps
claim "a text that does not end is left out" says 0 'code version = 7.0' dump endless.o
claim "and not shown" sh -c '! grep -q "without an end" out'
for name in nobits without cut class short names entry table; do
	claim "no PTX: $name" refuses "$name.o holds no PTX" dump $name.o
done
claim "no PTX in an empty file" refuses 'empty.ptx holds no PTX' dump empty.ptx
claim "nor in a text" refuses 'file holds no PTX' dump file
claim "nor in a folder" refuses 'no file that can be read' dump t
claim "nor where nothing is" refuses 'no file that can be read' dump nowhere
claim "a file is needed" refuses 'usage: cuobjdump' dump -ptx
claim "machine code there is none" refuses "option '-sass'" dump -sass good.o
claim "its version" says 0 'cuobjdump of sluice' dump --version
claim "in short" says 0 'cuobjdump of sluice' dump -V

finish
