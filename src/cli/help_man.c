/*
 * Manual pages in man(7), from the text of --help. A paragraph is filled; indented lines are shown as they are, unless they
 * say "  WORD  what it is", which makes an entry of a list; a paragraph that begins "Exit status:" is a section.
 */
#include <ctype.h>
#include <sluice_version.h>
#include <string.h>

#include "base/environment.h"
#include "cli/help.h"

static const char EXIT_STATUS[] = "Exit status: ";

/* ---- characters ------------------------------------------------------------------------------------------- */

static void put_text(FILE *out, const char *text, size_t length)
{
	static const char special[] = "\\-'`~^";
	static const char *const escapes[] = {"\\e", "\\-", "\\(aq", "\\(ga", "\\(ti", "\\(ha"};
	for (size_t i = 0; i < length; i++) {
		const char *at = memchr(special, text[i], sizeof special - 1);
		if (at)
			fputs(escapes[at - special], out);
		else
			fputc(text[i], out);
	}
}

/* A line of text must not begin with what makes it a request. */
static void put_line(FILE *out, const char *text, size_t length)
{
	if (length && text[0] == '.')
		fputs("\\&", out);
	put_text(out, text, length);
	fputc('\n', out);
}

static void put_string(FILE *out, const char *text)
{
	put_text(out, text, strlen(text));
}

/* ---- paragraphs ------------------------------------------------------------------------------------------- */

static const char *next_line(const char *at, size_t *length)
{
	*length = strcspn(at, "\n");
	return at + *length + (at[*length] == '\n');
}

static size_t indent_of(const char *line)
{
	return strspn(line, " ");
}

/* Where the text behind the term begins in "  term   text"; 0: the line is no such entry. */
static size_t entry_text(const char *line, size_t length)
{
	size_t at = indent_of(line);
	if (at < 2 || at > 4)
		return 0;
	for (; at + 2 < length; at++)
		if (line[at] == ' ' && line[at + 1] == ' ') {
			at += strspn(line + at, " ");
			return at < length ? at : 0;
		}
	return 0;
}

/* One entry and its further lines, which stand deeper; returns what follows. */
static const char *print_entry(FILE *out, const char *line, const char *end)
{
	size_t length, term = indent_of(line);
	const char *at = next_line(line, &length);
	size_t text = entry_text(line, length), term_end = text;
	while (line[term_end - 1] == ' ')
		term_end--;
	fputs(".TP\n.B ", out);
	put_line(out, line + term, term_end - term);
	put_line(out, line + text, length - text);
	while (at < end && indent_of(at) > term) {
		const char *next = next_line(at, &length);
		put_line(out, at + indent_of(at), length - indent_of(at));
		at = next;
	}
	return at;
}

static void print_indented(FILE *out, const char *at, const char *end)
{
	size_t length;
	next_line(at, &length);
	if (entry_text(at, length)) {
		while (at < end && next_line(at, &length) && entry_text(at, length))
			at = print_entry(out, at, end);
		if (at == end)
			return;
	}
	fputs(".PP\n.EX\n", out);
	while (at < end) {
		const char *next = next_line(at, &length);
		put_line(out, at, length);
		at = next;
	}
	fputs(".EE\n", out);
}

static void print_lines(FILE *out, const char *at, const char *end)
{
	while (at < end) {
		size_t length;
		const char *next = next_line(at, &length);
		put_line(out, at, length);
		at = next;
	}
}

static bool is_status(const char *line)
{
	return !strncmp(line, EXIT_STATUS, strlen(EXIT_STATUS));
}

/* A block is lines that are indented, or lines that are not; the exit status begins one. */
static const char *block_end(const char *at)
{
	size_t length;
	const bool indented = indent_of(at) > 0;
	const char *end = next_line(at, &length);
	while (*end && *end != '\n' && (indent_of(end) > 0) == indented && !is_status(end))
		end = next_line(end, &length);
	return end;
}

/* All but the exit status. Behind a heading the first paragraph needs no mark. */
static void print_paragraphs(FILE *out, const char *text, bool behind_heading)
{
	for (const char *end; text && *text; text = end) {
		end = *text == '\n' ? text + 1 : block_end(text);
		if (*text == '\n' || is_status(text))
			continue;
		if (indent_of(text)) {
			print_indented(out, text, end);
		} else {
			fputs(behind_heading ? "" : ".PP\n", out);
			print_lines(out, text, end);
		}
		behind_heading = false;
	}
}

/* False: the text says nothing about it. */
static bool print_status(FILE *out, const char *text)
{
	while (text && *text && !is_status(text)) {
		size_t length;
		text = next_line(text, &length);
	}
	if (!text || !*text)
		return false;
	fputs(".SH EXIT STATUS\n", out);
	print_lines(out, text + strlen(EXIT_STATUS), block_end(text));
	return true;
}

/* ---- sections --------------------------------------------------------------------------------------------- */

static void print_head(FILE *out, const char *name, const char *summary)
{
	char title[64];
	snprintf(title, sizeof title, "sluice%s%s", *name ? "-" : "", name);
	for (char *c = title; *c; c++)
		*c = *c == ' ' ? '-' : *c;
	fprintf(out, ".\\\" Made from the text of --help.\n.TH ");
	for (const char *c = title; *c; c++)
		fputc(toupper((unsigned char)*c), out);
	fprintf(out, " 1 \"%s\" \"sluice %s\" \"Sluice manual\"\n.SH NAME\n", SLUICE_DATE, SLUICE_VERSION);
	put_string(out, title);
	fputs(" \\- ", out);
	put_string(out, summary);
	fputc('\n', out);
}

/* "sluice run" is bold, the rest as it stands. */
static void print_synopsis_line(FILE *out, const char *name, const char *words, size_t length)
{
	fputs("\\fBsluice", out);
	if (*name)
		fputc(' ', out);
	put_string(out, name);
	fputs("\\fR", out);
	put_text(out, words, length);
	fputc('\n', out);
}

static void print_synopsis(FILE *out, const struct command *command)
{
	size_t skip = strlen("usage: sluice ") + strlen(command->name), length;
	fputs(".SH SYNOPSIS\n.nf\n", out);
	for (const char *at = command->usage; at && *at && *at != '\n';) {
		const char *next = next_line(at, &length);
		if (length >= skip)
			print_synopsis_line(out, command->name, at + skip, length - skip);
		at = next;
	}
	for (const struct command_action *a = command->actions; !command->usage && a->name; a++) {
		char words[512];
		snprintf(words, sizeof words, " %s%s%s", a->name, *a->words ? " " : "", a->words);
		print_synopsis_line(out, command->name, words, strlen(words));
	}
	fputs(".fi\n", out);
}

static void print_options(FILE *out, const struct arg *args, size_t count)
{
	if (count)
		fputs(".SH OPTIONS\n", out);
	for (size_t i = 0; i < count; i++) {
		fputs(".TP\n\\fB", out);
		for (const char *c = args[i].name; *c; c++) {
			if (*c == ' ')
				fputs("\\fR, \\fB", out);
			else
				put_text(out, c, 1);
		}
		fputs("\\fR", out);
		if (args[i].value) {
			fputs(" \\fI", out);
			put_string(out, args[i].value);
			fputs("\\fR", out);
		}
		fputc('\n', out);
		put_line(out, args[i].help, strlen(args[i].help));
	}
}

static void print_actions(FILE *out, const struct command *command)
{
	for (const struct command_action *a = command->actions; a && a->name; a++) {
		fputs(".TP\n.B ", out);
		put_line(out, a->name, strlen(a->name));
		for (const char *line = a->summary; *line;) {
			size_t length;
			const char *next = next_line(line, &length);
			put_line(out, line, length);
			line = next;
		}
	}
}

static const struct {
	const char *name, *help;
} commands[] = {
#define COMMAND(name, help) {#name, help},
#include "cli/commands.def"
#undef COMMAND
};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

/* The paragraphs of the usage begin behind the synopsis. */
static const char *description_of(const struct command *command)
{
	const char *gap = command->usage ? strstr(command->usage, "\n\n") : NULL;
	return gap ? gap + 2 : NULL;
}

/* "run" for "run", "workload" for "workload check". */
static const char *summary_of(const char *name)
{
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		size_t length = strlen(commands[i].name);
		if (!strncmp(commands[i].name, name, length) && (!name[length] || name[length] == ' '))
			return commands[i].help;
	}
	return "";
}

void help_print_man(FILE *out, const struct command *command, const struct arg *args, size_t count)
{
	const char *description = description_of(command), *footer = command->footer;
	print_head(out, command->name, command->summary ? command->summary : summary_of(command->name));
	print_synopsis(out, command);
	fputs(".SH DESCRIPTION\n", out);
	print_paragraphs(out, description, true);
	print_actions(out, command);
	if (!count)
		print_paragraphs(out, footer, false);
	print_options(out, args, count);
	if (count && footer && !is_status(footer)) {
		fputs(".SH NOTES\n", out);
		print_paragraphs(out, footer, true);
	}
	if (!print_status(out, description))
		print_status(out, footer);
	fputs(".SH SEE ALSO\n.BR sluice (1)\n", out);
}

/* ---- the page about sluice ---------------------------------------------------------------------------------- */

static const struct {
	const char *name, *text;
} environment[] = {
    {ENV_CACHE_DIR, "folder for imported traces, recordings and compiled programs; else "
                    "$XDG_CACHE_HOME/sluice or ~/.cache/sluice"},
    {"SLUICE_RESULTS", "the database of results; else $XDG_DATA_HOME/sluice/results.db or "
                       "~/.local/share/sluice/results.db"},
    {ENV_MACHINES, "folder of the machine files; else those that come with sluice"},
    {ENV_WORKLOADS, "folder of the workloads; else those that come with sluice"},
    {ENV_PAPERS, "folder of the papers; else those that come with sluice"},
    {ENV_CLANG, "clang++ that sluice cc uses; else the newest of 19 to 14"},
    {ENV_PROGRAM, "the program sluice, for what loads libsluice.so; else the one next to the library"},
    {ENV_INCLUDE_DIR, "folder of the CUDA headers"},
    {ENV_LIBRARY_DIR, "folder of libsluicert.so, which compiled programs link"},
    {ENV_PROGRESS_FD, "descriptor that progress is written to, a line each, for programs that start sluice"},
    {ENV_MACHINE, "machine whose properties a program sees that is run without sluice run"},
};

void help_print_main_man(FILE *out)
{
	print_head(out, "", "simulate the caches and warp schedulers of GPUs");
	fputs(".SH SYNOPSIS\n.nf\n", out);
	print_synopsis_line(out, "", " COMMAND [ARGUMENT...]", strlen(" COMMAND [ARGUMENT...]"));
	print_synopsis_line(out, "", " --help | --version", strlen(" --help | --version"));
	fputs(
	    ".fi\n.SH DESCRIPTION\n"
	    "Sluice simulates the memory hierarchy and the warp schedulers of GPUs from instruction traces, which\n"
	    "it records from CUDA programs itself or imports, under policies of cache management and scheduling.\n"
	    ".SH COMMANDS\nEach has a page of its own.\n",
	    out);
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		fputs(".TP\n.BR sluice\\-", out);
		put_string(out, commands[i].name);
		fputs(" (1)\n", out);
		put_line(out, commands[i].help, strlen(commands[i].help));
	}
	fputs(".SH ENVIRONMENT\n", out);
	for (size_t i = 0; i < sizeof environment / sizeof *environment; i++) {
		fprintf(out, ".TP\n.B %s\n", environment[i].name);
		put_line(out, environment[i].text, strlen(environment[i].text));
	}
	fputs(
	    ".SH EXIT STATUS\n"
	    "0 done; 2 bad input, or a file that cannot be read or written: the message says file, line and what\n"
	    "was expected; 3 no progress; 4 the simulated program itself failed. A signal ends it as usual.\n"
	    ".SH SEE ALSO\n.BR nvcc (1)\n",
	    out);
}
