# Debian packages, for quickstart and check; to be sourced.
#
# A package is written NAME, or NAME=COMMAND where a COMMAND from elsewhere serves as well.

# The packages that every build needs.
packages_build='build-essential cmake=cmake ninja-build=ninja pkg-config=pkg-config
	libzstd-dev liblzma-dev libyaml-dev libjansson-dev libxxhash-dev libsqlite3-dev'
# The compiler of CUDA programs: sluice cc takes the newest of clang 14 to 19.
packages_cuda='clang-19=clang++-19'
# Headers that CUDA programs include and that sluice does not have of its own: Thrust, CUB, libcu++, OpenCL's.
packages_cuda_libraries='libthrust-dev libcub-dev libcu++-dev opencl-c-headers'
# What only the tests need.
packages_check='git=git clang=clang clang-format=clang-format libclang-rt-dev lld=ld.lld valgrind=valgrind libc6-dbg
	shellcheck=shellcheck autoconf=autoconf sqlite3=sqlite3'
# A cluster for the test of --slurm; it is skipped without.
packages_slurm='slurm-wlm=slurmctld munge=munged'

# Python in addition to the standard library: the notebooks are run and the types checked where these are; skipped without.
packages_python='python3=python3 python3-pandas python3-matplotlib python3-ipykernel jupyter-nbconvert mypy=mypy'

# docs/ as a site (packaging/site), and drawings as PDF.
packages_site='mkdocs=mkdocs mkdocs-material librsvg2-bin=rsvg-convert'

# Readers of the manual pages and of the completion scripts; those tests are skipped without.
packages_manual='mandoc=mandoc zsh=zsh fish=fish'
# Only scripts/coverage needs it: it adds up what gcov counts in several programs.
packages_coverage='gcovr=gcovr'
# A browser that looks at pages, and what drives it; those tests are skipped without.
packages_browser='chromium=chromium nodejs=node'

packages_installed() {
	dpkg-query -W -f='${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed
}

# Prints those of the packages that are not there.
packages_missing() {
	for package in "$@"; do
		case $package in
		*=*) command -v "${package#*=}" >/dev/null 2>&1 && continue ;;
		esac
		packages_installed "${package%=*}" || printf '%s ' "${package%=*}"
	done
}

as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif command -v sudo >/dev/null 2>&1; then
		sudo "$@"
	else
		echo "this needs root, and there is no sudo: $*" >&2
		return 1
	fi
}

packages_install() {
	echo "installing: $*"
	as_root apt-get update -q >/dev/null || echo "apt-get update failed; trying with the lists at hand" >&2
	as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "$@" >/dev/null
}

# Makes sure of all the packages, or says what is missing and ends.
packages_require() {
	missing=$(packages_missing "$@")
	[ -n "$missing" ] || return 0
	if ! command -v apt-get >/dev/null 2>&1; then
		echo "Missing, by the names of their Debian packages: $missing" >&2
		echo "There is no apt-get here; install what corresponds to them, then run this again." >&2
		exit 1
	fi
	# shellcheck disable=SC2086 # names, one word each
	if ! packages_install $missing; then
		echo "Could not install: $missing" >&2
		echo "As root: apt-get install $missing" >&2
		exit 1
	fi
}

# The same for what the job can do without.
packages_wish() {
	(packages_require "$@") || echo "going on without: $(packages_missing "$@")" >&2
}
