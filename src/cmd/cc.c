/* `sluice cc`: compiles CUDA programs, with the command line of nvcc. */
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "cc/cc.h"
#include "cli/help.h"
#include "cmd/cmd.h"

static const struct {
	const char *ending;
	enum cc_language language;
} endings[] = {{".cu", CC_CUDA}, {".c", CC_C},   {".cpp", CC_CXX}, {".cc", CC_CXX},
               {".cxx", CC_CXX}, {".C", CC_CXX}, {".c++", CC_CXX}, {".CPP", CC_CXX}};
static const char *const linkable[] = {".o", ".a", ".so", ".obj", ".lo"};

enum cc_language cc_language_of(const struct cc_item *item)
{
	if (item->language != CC_BY_NAME)
		return item->language;
	const char *dot = strrchr(item->text, '.');
	for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
		if (!strcmp(dot, endings[i].ending))
			return endings[i].language;
	return CC_BY_NAME;
}

static bool is_linkable(const char *name)
{
	const char *dot = strrchr(name, '.');
	for (size_t i = 0; dot && i < sizeof linkable / sizeof *linkable; i++)
		if (!strcmp(dot, linkable[i]))
			return true;
	return strstr(name, ".so.") != NULL;
}

bool cc_is_source(const struct cc_item *item)
{
	return cc_language_of(item) != CC_BY_NAME && !is_linkable(item->text);
}

static bool check_inputs(const struct cc_order *order, struct error *err)
{
	size_t sources = 0;
	for (size_t i = 0; i < order->item_count; i++) {
		const struct cc_item *item = &order->items[i];
		if (!item->is_input)
			continue;
		if (!cc_is_source(item) && !is_linkable(item->text))
			return error_set(
			    err, "%s: expected a file that ends in .cu, .c, .cpp, .cc, .cxx, .o, .a or .so",
			    item->text);
		if (access(item->text, R_OK) != 0 && !order->dry_run)
			return error_set(err, "%s: cannot be read", item->text);
		sources += cc_is_source(item);
	}
	for (size_t i = 0; i < order->item_count; i++) {
		const char *const inputs[] = {order->items[i].is_input ? order->items[i].text : NULL, NULL};
		if (!output_is_no_input(order->output, inputs, err))
			return false;
	}
	if (order->precompile)
		return !order->input_count ||
		       error_set(err, "--precompile takes options and no files, but there is %s",
		                 order->items[0].text);
	if (!order->input_count)
		return error_set(err, "no input files; see 'sluice cc --help'");
	bool is_each = order->stage == CC_OBJECT || order->stage == CC_PTX;
	if (is_each && order->output && sources > 1)
		return error_set(err, "-o %s: %zu files cannot become one without linking", order->output,
		                 sources);
	return true;
}

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

static int complain(const struct error *err)
{
	fprintf(stderr, "sluice cc: %s\n", err->text);
	return 2;
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
		return complain(&err);
	if ((order->verbose || order->dry_run) && tools.toolkit[0])
		cc_print_environment(&tools, order->sm ? order->sm : CC_OLDEST_SM);
	if (!check_inputs(order, &err))
		return complain(&err);
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
	int code = cc_read_options(argc, argv, &order, &err) ? obey(&order) : complain(&err);
	cc_free_order(&order);
	return code;
}
