/*
 * The description of a command as data. The text of --help, the manual page (--help=man) and the lines that completion
 * reads (--help=words) come from it, so an option or action is described once, where it is parsed.
 */
#ifndef SLUICE_CLI_HELP_H
#define SLUICE_CLI_HELP_H

#include "base/args.h"

/* A command as `sluice --help` lists it. */
struct subcommand {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help; /* one line */
};

/* "show" of "sluice machine". */
struct command_action {
	const char *name;
	/*
	 * What follows it in the synopsis: "MACHINE|FILE [--json FILE|-]". Words in capitals say what is completed
	 * there (complete.c), options are those that stand in it. "[OPTION...]": it has a --help of its own.
	 */
	const char *words;
	const char *summary;               /* several lines are separated by newlines */
	int (*run)(int argc, char **argv); /* argv[0] is the action; called by command_act() */
};

/* A command as messages and --help present it. */
struct command {
	const char *name;    /* "run", "workload check" */
	const char *operand; /* what the one word is that is not an option: "program or trace" */
	/*
	 * Synopsis ("usage: sluice run PROGRAM ..."), an empty line, paragraphs; ends with a newline. Lines that are
	 * indented are shown as they are. NULL: the actions make the synopsis.
	 */
	const char *usage;
	const char *footer;                   /* paragraphs below the options; NULL: none */
	const struct command_action *actions; /* ends with one without a name; NULL: none */
	const char *summary; /* one line for its manual page; NULL: as 'sluice --help' has it */
};

enum help_format { HELP_NONE, HELP_TEXT, HELP_MAN, HELP_WORDS };
/* Return the form of help that a word of the command line asks for. */
enum help_format help_asked(const char *word);
/* The same for a command without a table of options: help must be its only word. */
enum help_format help_asked_alone(int argc, char **argv);
void help_print(FILE *out, const struct command *command, const struct arg *args, size_t count,
                enum help_format format);
/* Print the help of a command without options; to standard error for HELP_NONE. Return the exit status. */
int help_show(const struct command *command, enum help_format format);

/* ---- help_man.c ---------------------------------------------------------------------------------------- */
void help_print_man(FILE *out, const struct command *command, const struct arg *args, size_t count);
/* The page about sluice itself. */
void help_print_main_man(FILE *out);

#endif
