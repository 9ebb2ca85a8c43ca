# Completion of sluice for bash: the program itself knows what may stand where ('sluice complete').

_sluice() {
	local line=${COMP_LINE:0:COMP_POINT} words word last candidate rest head=''
	COMPREPLY=()
	# By blanks alone: bash would take "swl:n=2" and "--machine=h200" for several words.
	read -ra words <<<"$line"
	case $line in
	*[[:space:]]) words+=('') ;;
	esac
	last=${words[${#words[@]} - 1]}
	# What bash replaces begins behind the last of its separators.
	case $COMP_WORDBREAKS in
	*:*) rest=${last##*[:=]} ;;
	*) rest=${last##*=} ;;
	esac
	head=${last%"$rest"}
	while IFS=$'\t' read -r candidate _; do
		case $candidate in
		:files)
			compopt -o filenames 2>/dev/null
			while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$rest")
			;;
		:folders)
			compopt -o filenames 2>/dev/null
			while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -d -- "$rest")
			;;
		*) COMPREPLY+=("${candidate#"$head"}") ;;
		esac
	done < <("${words[0]}" complete -- "${words[@]:1}" 2>/dev/null)
	# A word that goes on gets no blank.
	if [ ${#COMPREPLY[@]} = 1 ]; then
		case ${COMPREPLY[0]} in
		*[=:,.]) compopt -o nospace 2>/dev/null ;;
		esac
	fi
	return 0
}

complete -F _sluice sluice
