#!/bin/sh
# --help, the manual pages and what completion reads come from one description; the pages are clean man(7).
set -u
. "$(dirname "$0")/common.inc"
man=$work/man1
commands=$("$sluice" --help | sed -n '/^commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p')

every_command_helps() {
	[ "$(echo "$commands" | wc -l)" -ge 18 ] || return 1
	for command in $commands; do
		exits 0 "$sluice" "$command" --help || return 1
		head -n 1 "$work/out" | grep -q "^usage: sluice $command\b" || { echo "$command: $(head -n 1 "$work/out")" && return 1; }
		exits 0 "$sluice" help "$command" || return 1
	done
}
claim "every command has a --help that begins with its usage" every_command_helps

claim "the pages are written" sh "$root/packaging/manual" "$sluice" "$man"

every_command_has_a_page() {
	for command in $commands; do
		grep -q "^sluice\\\\-$command \\\\- ..*" "$man/sluice-$command.1" || { echo "no page for $command" && return 1; }
		grep -q "sluice\\\\-$command (1)" "$man/sluice.1" || { echo "sluice(1) lacks $command" && return 1; }
	done
	[ -s "$man/sluice-trace-import.1" ] && [ -s "$man/sluice-workload-check.1" ]
}
claim "every command has a page, and sluice(1) lists it" every_command_has_a_page

# The options that a page has are those of --help: lines that begin with two blanks and a dash.
options_of_text() {
	"$sluice" "$@" --help | sed -n 's/^  \(-[^ ]*\).*/\1/p' | sort -u
}
options_of_page() {
	sed -n 's/^\\fB\(\\-[^ ]*\)\\fR.*/\1/p' "$1" | sed 's/\\fR.*//; s/\\-/-/g; s/,$//' | sort -u
}
pages_have_all_options() {
	for command in run compare tune validate reproduce sweep results record cache; do
		options_of_text "$command" >"$work/text"
		options_of_page "$man/sluice-$command.1" >"$work/page"
		[ -s "$work/text" ] && cmp "$work/text" "$work/page" || { echo "$command" && diff "$work/text" "$work/page" && return 1; }
	done
	grep -q '^\\fB\\-\\-max\\-insns\\fR \\fIN\\fR$' "$man/sluice-run.1"
}
claim "pages have the options of --help" pages_have_all_options

has_sections() {
	for section in NAME SYNOPSIS DESCRIPTION OPTIONS 'EXIT STATUS' 'SEE ALSO'; do
		grep -qx ".SH $section" "$man/sluice-run.1" || { echo "no $section" && return 1; }
	done
	grep -qx '.SH ENVIRONMENT' "$man/sluice.1"
}
claim "a page has the usual sections" has_sections

# Every variable by which a user says where files are has its place in sluice(1).
names_all_variables() {
	for name in $(sed -n '/Where files are found/,$s/^#define ENV_[A-Z_]* "\([A-Z_]*\)".*/\1/p' "$root/src/base/environment.h"); do
		[ "$name" = SLUICE_TOOLKIT ] || grep -q "^.B $name$" "$man/sluice.1" || { echo "no $name" && return 1; }
	done
}
claim "sluice(1) names the environment variables" names_all_variables

mandoc_is_content() {
	mandoc -T lint -W warning "$man"/*.1
}
if command -v mandoc >/dev/null; then
	claim "mandoc finds nothing wrong" mandoc_is_content
else
	echo "# no mandoc here"
fi

groff_is_content() {
	for page in "$man"/*.1; do
		LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>"$work/err" >"$work/page" || return 1
		[ ! -s "$work/err" ] || { echo "$page" && cat "$work/err" && return 1; }
	done
}
if man --version 2>/dev/null | grep -q '^man ' && command -v groff >/dev/null; then
	claim "man finds nothing wrong" groff_is_content
else
	echo "# no groff here"
fi

finish
