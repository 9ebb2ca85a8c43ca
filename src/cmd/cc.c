/* `sluice cc`: compiles CUDA programs, with the command line of nvcc. */
#include <string.h>

#include "cc/cc.h"
#include "cli/command.h"
#include "cmd/cmd.h"

static const struct command command = {
    .name = "cc",
    .usage = "usage: sluice cc [OPTION...] FILE...\n"
             "\n"
             "Compiles CUDA programs with clang and sluice's own headers and links sluice's\n"
             "runtime, which runs their kernels on this computer. Accepts nvcc's options:\n"
             "make NVCC=\"sluice cc\". Files end in .cu, .c, .cpp, .cc, .cxx, .o, .a or .so.\n",
    .footer = "Options that begin with -f, -g, -m or -W and are not listed go to the compiler of\n"
              "host code. Those of ptxas, nvlink and other tools that are not used have no effect.\n"
              "\n"
              "environment:\n"
              "  SLUICE_CLANG         the clang++ to use (default: the newest of 19 to 14)\n"
              "  SLUICE_INCLUDE_DIR   folder of sluice's CUDA headers\n"
              "  SLUICE_LIBRARY_DIR   folder of libsluicert.so\n"
              "\n"
              "Exit status: 0 done, 1 the program does not compile, 2 the command line is wrong or\n"
              "a tool is missing.\n",
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
			cc_print_version();
		return 0;
	}
	if (!cc_find_tools(&tools, &err))
		return command_fail(command.name, &err);
	if ((order->verbose || order->dry_run) && tools.toolkit[0])
		cc_print_environment(&tools, order->sm ? order->sm : CC_OLDEST_SM);
	if (!cc_check_inputs(order, &err))
		return command_fail(command.name, &err);
	return cc_carry_out(order, &tools);
}

int cmd_cc(int argc, char **argv)
{
	struct error err;
	struct cc_order order = {0};
	if (help_asked_alone(argc, argv) && strcmp(argv[1], "-h") != 0) {
		print_help(help_asked_alone(argc, argv));
		return 0;
	}
	int code =
	    cc_read_options(argc, argv, &order, &err) ? obey(&order) : command_fail(command.name, &err);
	cc_free_order(&order);
	return code;
}
