#!/bin/sh
# Completion: commands, options, and the values that options and operands take; as the program says and as bash gets it.
set -u
. "$(dirname "$0")/common.inc"
tab=$(printf '\t')

# offers CANDIDATE WORD...: it is among those for the last WORD.
offers() {
	candidate=$1
	shift
	"$sluice" complete -- "$@" | cut -f 1 | grep -qxF -e "$candidate" && return 0
	echo "sluice $*: no '$candidate' in:"
	"$sluice" complete -- "$@" | head -n 20
	return 1
}
# withholds CANDIDATE WORD...: it is not.
withholds() {
	! offers "$@" >/dev/null
}

claim "commands" offers reproduce rep
claim "all of them" offers doctor ''
claim "but not those for sluice itself" withholds complete ''
claim "of help, too" offers run help r
claim "actions" offers show machine s
claim "options of a command" offers --max-insns run --m
claim "options of an action, from its synopsis" offers --json machine show --j
claim "options of an action that has its own help" offers --only workload check --o
claim "options of nvcc" offers -maxrregcount cc -max
claim "--size, which is for workloads" offers --size run atax --s
claim "and its values" offers small run atax --size s
claim "values behind an equals sign" offers --goal=cycles tune atax --goal=c
claim "machines" offers gtx480-ciao run --machine gtx
claim "machines as operands" offers h200 machine show h
claim "workloads as programs" offers atax run at
claim "in addition to files" offers :files run x
claim "workloads as operands" offers lud workload show l
claim "policies" offers ciao-c run --policy cia
claim "policies behind a comma" offers gto,swl run --policy gto,s
claim "their parameters" offers swl:n= run --policy swl:
claim "in a chain" offers gto,swl:n= run --policy gto,swl:
claim "parameters to tune" offers swl.n= tune atax --param swl.
claim "keys of machines" offers l1d.ways= run --set l1d.w
claim "papers" offers khairy compare --paper k
claim "figures" offers ciao/fig8a reproduce ciao/fig8
claim "claims" offers ciao-07 reproduce ciao-0
claim "looks in a list" offers series,matrix run --look series,m
claim "folders" offers :folders toolkit ''
claim "values do not hold options" withholds --json run --machine ''
claim "an unknown command gets nothing" withholds --json nonsense --j

describes() {
	"$sluice" complete -- run --machine h20 | grep -q "^h200${tab}NVIDIA H200"
}
claim "candidates are described" describes

# Every option of every table can be found: completion reads what --help prints.
knows_all_options() {
	for command in run compare tune validate reproduce sweep record; do
		"$sluice" complete -- "$command" - | cut -f 1 | sort -u >"$work/offered"
		"$sluice" "$command" --help | sed -n 's/^  \(-[^ ]*\).*/\1/p' | sort -u >"$work/listed"
		missing=$(comm -13 "$work/offered" "$work/listed")
		[ -z "$missing" ] || { echo "$command lacks $missing" && return 1; }
	done
}
claim "every option of --help is offered" knows_all_options

# ---- the shells -----------------------------------------------------------------------------------------------

# in_bash LINE: what the function of the script offers at the end of the line.
cat >"$work/ask.bash" <<'END'
PATH=$(dirname "$1"):$PATH
. "$2"
COMP_LINE=$3 COMP_POINT=${#3}
complete -p sluice >/dev/null || exit 1
_sluice sluice
printf '%s\n' "${COMPREPLY[@]}"
END
in_bash() {
	bash --norc "$work/ask.bash" "$sluice" "$root/packaging/completion/sluice.bash" "$1"
}
bash_gets() {
	in_bash "$1" >"$work/got" 2>&1
	grep -qxF -e "$2" "$work/got" || { cat "$work/got" && return 1; }
}
if command -v bash >/dev/null; then
	claim "bash: commands" bash_gets 'sluice rep' reproduce
	claim "bash: machines" bash_gets 'sluice run atax --machine gtx480-c' gtx480-ciao
	claim "bash: behind a separator of words, the rest" bash_gets 'sluice run --machine=h2' h200
	claim "bash: parameters of a policy in a chain" bash_gets 'sluice run --policy gto,swl:' n=
	mkdir -p "$work/folder" && : >"$work/folder/a-file.yaml"
	claim "bash: files" bash_gets "sluice sweep $work/folder/a-f" "$work/folder/a-file.yaml"
fi
if command -v zsh >/dev/null; then
	claim "zsh reads its script" zsh -n "$root/packaging/completion/_sluice"
fi
fish_gets() {
	PATH=$(dirname "$sluice"):$PATH HOME=$work fish --no-config \
		-c "source '$root/packaging/completion/sluice.fish'; complete -C 'sluice run --machine gtx480-c'" >"$work/got" 2>&1
	cut -f 1 "$work/got" | grep -qx gtx480-ciao || { cat "$work/got" && return 1; }
}
if command -v fish >/dev/null; then
	claim "fish reads its script" fish --no-execute "$root/packaging/completion/sluice.fish"
	claim "fish: machines" fish_gets
fi

finish
