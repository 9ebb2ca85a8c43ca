/* sluice toolkit: makes a folder that build systems take for a CUDA toolkit; and the cuobjdump of such folders. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cc/tools.h"
#include "cli/command.h"
#include "cmd/cmd.h"
#include "setup/setup.h"

static const struct command command = {
    .name = "toolkit",
    .usage =
        "usage: sluice toolkit DIR\n"
        "\n"
        "Makes DIR a CUDA toolkit for build systems: bin/nvcc, include/, lib64/libcudart.so and others, all\n"
        "of them parts of sluice. Called again, renews the folder. Then:\n"
        "\n"
        "  make CUDA_DIR=DIR            or CUDA_HOME, CUDA_PATH, whatever the makefile reads\n"
        "  cmake -DCMAKE_CUDA_COMPILER=DIR/bin/nvcc\n"
        "  ./configure --with-cuda=DIR  or PATH=DIR/bin:$PATH\n"
        "\n"
        "The folder refers to this sluice and its libraries by their paths.\n"
        "\n"
        "Exit status: 0 done, 2 the folder cannot be made.\n",
};

/* Whether cuobjdump knows the option and it asks for nothing but the PTX. */
static bool asks_for_ptx(const char *option)
{
	static const char *const known[] = {"-ptx",         "--dump-ptx", "-all",
	                                    "--all-fatbin", "-lptx",      "--list-ptx"};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (!strcmp(option, known[i]))
			return true;
	return false;
}

/* cuobjdump of a toolkit folder; argv holds its words. */
static int dump(int argc, char **argv)
{
	struct error err = {0};
	int files = 0;
	bool done = true;
	for (int i = 0; i < argc && done; i++) {
		if (!strcmp(argv[i], "--version") || !strcmp(argv[i], "-V")) {
			puts("cuobjdump of sluice " SLUICE_VERSION ": release " CC_CUDA_RELEASE
			     ", V" CC_CUDA_VERSION);
			return 0;
		}
		if (argv[i][0] != '-')
			files++, done = setup_dump_ptx(stdout, argv[i], &err);
		else if (!asks_for_ptx(argv[i]))
			done = error_set(
			    &err, "option '%s': programs carry PTX and no machine code; use -ptx", argv[i]);
	}
	if (done && !files)
		done = error_set(&err, "usage: cuobjdump [-ptx] FILE...");
	if (!done)
		fprintf(stderr, "cuobjdump: %s\n", err.text);
	return done ? 0 : 2;
}

int cmd_toolkit(int argc, char **argv)
{
	struct error err = {0};
	char *whole = NULL;
	if (argc > 1 && !strcmp(argv[1], "--dump-ptx"))
		return dump(argc - 2, argv + 2);
	if (help_asked_alone(argc, argv))
		return help_show(&command, help_asked_alone(argc, argv));
	bool done = ((argc == 2 && argv[1][0] != '-') ||
	             error_set(&err, "expected one folder; see 'sluice toolkit --help'")) &&
	            setup_make_toolkit(argv[1], &whole, &err);
	if (done)
		printf("%s: CUDA " CC_CUDA_RELEASE " of sluice; nvcc is %s/bin/nvcc\n", argv[1], whole);
	free(whole);
	return done ? 0 : command_fail(command.name, &err);
}
