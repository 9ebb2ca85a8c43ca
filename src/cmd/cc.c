/* sluice cc: compiles CUDA programs with the command line of nvcc. */
#include <string.h>

#include "cc/job.h"
#include "cli/command.h"
#include "cmd/cmd.h"

static const struct command command = {
    .name = "cc",
    .usage =
        "usage: sluice cc [OPTION...] FILE...\n"
        "\n"
        "Compiles CUDA programs with clang and the CUDA headers of sluice, and links the runtime of sluice,\n"
        "which runs their kernels on this computer. Accepts the options of nvcc, so that make\n"
        "NVCC=\"sluice cc\" works. Files end in .cu, .c, .cpp, .cc, .cxx, .o, .a or .so.\n"
        "\n"
        "    sluice cc examples/kernels/rowsum.cu -o /tmp/rowsum\n",
    .footer =
        "Options that begin with -f, -g, -m or -W and are not listed are passed to the compiler of host code.\n"
        "Options for ptxas, nvlink and other tools that sluice does not use have no effect.\n"
        "\n"
        "environment:\n"
        "  SLUICE_CLANG         the clang++ to use (default: the newest of 19 to 14)\n"
        "  SLUICE_INCLUDE_DIR   folder of the CUDA headers of sluice\n"
        "  SLUICE_LIBRARY_DIR   folder of libsluicert.so\n"
        "\n"
        "Exit status: 0 done, 1 the program does not compile, 2 the command line is wrong, or a tool is\n"
        "missing.\n",
};

/* nvcc's options are a table of their own. */
static void print_help(enum help_format format)
{
	struct arg args[CC_OPTIONS_MAX];
	size_t count = cc_describe_options(args);
	help_print(stdout, &command, args, count, format);
}

static int obey(const struct cc_order *order)
{
	struct error err;
	struct cc_tools tools = {0};
	if (order->help || order->version) {
		if (order->help)
			print_help(HELP_TEXT);
		else
			puts(CC_VERSION_TEXT);
		return 0;
	}
	if (!cc_find_tools(&tools, &err))
		return command_fail(command.name, &err);
	if ((order->verbose || order->dry_run) && tools.toolkit[0])
		cc_print_environment(order->messages, &tools, order->sm ? order->sm : CC_OLDEST_SM);
	if (!cc_check_inputs(order, &err))
		return command_fail(command.name, &err);
	int code = cc_carry_out(order, &tools, &err);
	if (err.text[0])
		command_fail(command.name, &err);
	return code;
}

int cmd_cc(int argc, char **argv)
{
	struct error err;
	struct cc_order order = {.messages = stderr};
	if (help_asked_alone(argc, argv) && strcmp(argv[1], "-h") != 0) {
		print_help(help_asked_alone(argc, argv));
		return 0;
	}
	int code =
	    cc_read_options(argc, argv, &order, &err) ? obey(&order) : command_fail(command.name, &err);
	cc_free_order(&order);
	return code;
}
