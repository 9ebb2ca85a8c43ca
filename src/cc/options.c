/*
 * The options of `sluice cc`, which are nvcc's: one table gives reading,
 * checking and the help text. What steers tools that do not exist here
 * (ptxas, nvlink) is accepted and has no effect.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/suggest.h"
#include "cc/actions.h"

enum form {
	FLAG,
	VALUE,  /* "-o file", "-arch=sm_70" */
	JOINED, /* "-Idir", "-I dir", "--include-path=dir" */
};

struct option {
	const char *names; /* separated by spaces; the first is what --help and compilers get */
	enum form form;
	cc_action *action;
	size_t where; /* offset in struct cc_order, for actions that store */
	int number;   /* for actions that store one */
	const char *help;
};

#define AT(field) offsetof(struct cc_order, field)

static const struct option options[] = {
    {"-o --output-file", VALUE, cc_set_text, AT(output), 0, "name of the output"},
    {"-c --compile", FLAG, cc_set_stage, 0, CC_OBJECT, "compile to objects, do not link"},
    {"-dc --device-c", FLAG, cc_set_relocatable, 0, CC_OBJECT, "the same, with -rdc=true"},
    {"-E --preprocess", FLAG, cc_set_stage, 0, CC_PREPROCESS, "preprocess only"},
    {"-ptx --ptx", FLAG, cc_set_stage, 0, CC_PTX, "compile the device code of .cu files to PTX"},
    {"-lib --lib", FLAG, cc_set_stage, 0, CC_ARCHIVE, "make a static library"},
    {"-link --link", FLAG, cc_set_stage, 0, CC_LINK, "compile and link (default)"},
    {"-shared --shared", FLAG, cc_set_flag, AT(shared), 0, "make a shared library"},
    {"-M --generate-dependencies", FLAG, cc_set_dependencies, 0, 0, "print a makefile rule"},
    {"-MM --generate-nonsystem-dependencies", FLAG, cc_set_dependencies, 0, 0,
     "the same without system headers"},
    {"-MD --generate-dependencies-with-compile", FLAG, cc_write_dependencies, 0, 0,
     "write a rule beside the object"},
    {"-MMD --generate-nonsystem-dependencies-with-compile", FLAG, cc_write_dependencies, 0, 0,
     "the same without system headers"},
    {"-MP --generate-dependency-targets", FLAG, cc_pass_host, 0, 0, "add a phony target for every header"},
    {"-MF --dependency-output", JOINED, cc_name_dependencies, 0, 0, "file for the rule"},
    {"-MT --dependency-target-name", JOINED, cc_pass_host_value, 0, 0, "target of the rule"},
    {"-MQ", JOINED, cc_pass_host_value, 0, 0, "target of the rule, quoted for make"},
    {"-I --include-path", JOINED, cc_add_include, 0, 0, "search this folder for headers"},
    {"-isystem --system-include", JOINED, cc_add_include, 0, 0, "the same, after all -I"},
    {"-include --pre-include", JOINED, cc_pass_value, AT(all), 0, "include this file first"},
    {"-D --define-macro", JOINED, cc_pass_joined, AT(all), 0, "define a macro"},
    {"-U --undefine-macro", JOINED, cc_pass_joined, AT(all), 0, "undefine a macro"},
    {"-L --library-path", JOINED, cc_add_library_folder, 0, 0, "search this folder for libraries"},
    {"-l --library", JOINED, cc_add_library, 0, 0, "link this library"},
    {"-std --std", VALUE, cc_set_text, AT(standard), 0, "c++11, c++14, c++17 (default: gnu++17), c++20"},
    {"-O --optimize", JOINED, cc_set_optimize, 0, 0,
     "level for host code; device code is built with -O2, or -O3 if asked for"},
    {"-g --debug", FLAG, cc_pass_host, 0, 0, "debug information for host code"},
    {"-ffile-prefix-map", JOINED, cc_pass_joined, AT(all), 0,
     "=OLD=NEW: folders of sources as debug information and PTX name them"},
    {"-G --device-debug", FLAG, cc_set_flag, AT(debug_device), 0, "do not optimize device code"},
    {"-clang-code --clang-code", FLAG, cc_set_flag, AT(clang_code), 0,
     "leave device code as clang makes it, not as nvcc would: for machines whose code is not scheduled"},
    {"-lineinfo --generate-line-info", FLAG, cc_ignore, 0, 0, "source lines in device code (always there)"},
    {"-arch --gpu-architecture", VALUE, cc_add_architecture, 0, 0,
     "architecture; device code is made for one, sm_70 or newer"},
    {"-code --gpu-code", VALUE, cc_add_architecture, 0, 0, "the same"},
    {"-gencode --generate-code", VALUE, cc_add_architecture, 0, 0,
     "the same; the oldest from sm_70 on is used"},
    {"-m64", FLAG, cc_ignore, 0, 0, "64-bit code (always)"},
    {"-m --machine", VALUE, cc_check_machine, 0, 0, "64"},
    {"-use_fast_math --use_fast_math", FLAG, cc_set_flag, AT(fast_math), 0,
     "quick, less exact device mathematics"},
    {"-ftz --ftz", VALUE, cc_set_flush, 0, 0, "true: flush denormal floats to zero"},
    {"-prec-div --prec-div", VALUE, cc_set_division, 0, 0, "false: approximate float division"},
    {"-prec-sqrt --prec-sqrt", VALUE, cc_check_bool, 0, 0, "accepted; square roots are exact"},
    {"-fmad --fmad", VALUE, cc_set_contraction, 0, 0, "false: do not fuse multiplications and additions"},
    {"-maxrregcount --maxrregcount", VALUE, cc_set_registers, 0, 0,
     "most registers per thread that the runtime assumes"},
    {"-Xcompiler --compiler-options", VALUE, cc_add_host_options, 0, 0,
     "options for host code, separated by commas"},
    {"-Xlinker --linker-options", VALUE, cc_add_linker_options, 0, 0,
     "options for the linker, separated by commas"},
    {"-x --x", VALUE, cc_set_language, 0, 0, "cu, c or c++: language of the files that follow"},
    {"-rdc --relocatable-device-code", VALUE, cc_set_relocatable, 0, 0,
     "device code may use that of other files; it is linked when the program runs"},
    {"-default-stream --default-stream", VALUE, cc_set_default_stream, 0, 0, "legacy or per-thread"},
    {"-w --disable-warnings", FLAG, cc_pass, AT(all), 0, "no warnings"},
    {"-pg --profile", FLAG, cc_pass_host, 0, 0, "profile host code"},
    {"-pthread", FLAG, cc_pass_host, 0, 0, "threads in host code"},
    {"-rdynamic", FLAG, cc_pass, AT(link), 0, "export symbols of the program"},
    {"-s", FLAG, cc_pass, AT(link), 0, "strip the program"},
    {"-static", FLAG, cc_ignore, 0, 0, "accepted; the runtime is a shared library"},
    {"-v --verbose", FLAG, cc_set_flag, AT(verbose), 0, "show the commands"},
    {"-dryrun --dryrun", FLAG, cc_set_flag, AT(dry_run), 0, "show the commands, do not run them"},
    {"-keep --keep", FLAG, cc_set_flag, AT(keep), 0, "keep the PTX"},
    {"-keep-dir --keep-dir", VALUE, cc_set_text, AT(keep_dir), 0, "where to keep it"},
    {"-V --version", FLAG, cc_set_flag, AT(version), 0, "print the version"},
    {"-h --help", FLAG, cc_set_flag, AT(help), 0, "this text"},
    {"-precompile --precompile", FLAG, cc_set_flag, AT(precompile), 0,
     "prepare sluice's headers: with the same options, sources are then read faster"},
    {"-cubin --cubin", FLAG, cc_set_binary, 0, 0,
     "PTX, as the driver API of sluice takes it in place of machine code"},
    {"-fatbin --fatbin", FLAG, cc_set_binary, 0, 0, "the same"},
    {"-dlink --device-link", FLAG, cc_set_stage, 0, CC_DEVICE_LINK,
     "an object without content: there is nothing to link"},
    {"-cudart --cudart", VALUE, cc_set_text, AT(cudart), 0,
     "static, shared or none: all of them the same library"},
    {"-forward-unknown-to-host-compiler --forward-unknown-to-host-compiler -forward-unknown-opts "
     "--forward-unknown-opts",
     FLAG, cc_set_flag, AT(forwards_unknown), 0,
     "options that are not listed go to the compiler of host code"},
    {"-optf --options-file", VALUE, cc_ignore, 0, 0, "more options and files, from this file"},
    {"-optix-ir --optix-ir", FLAG, cc_refuse, 0, 0, NULL},
    /* Of no effect: what they ask for is so anyway, or concerns tools that are not used. */
    {"-Xptxas --ptxas-options -Xnvlink --nvlink-options -Xcudafe -Xfatbin -Xarchive --archive-options -ccbin "
     "--compiler-bindir -t --threads -diag-suppress --diag-suppress -diag-warn --diag-warn "
     "-diag-error --diag-error",
     VALUE, cc_ignore, 0, 0, NULL},
    {"-expt-relaxed-constexpr --expt-relaxed-constexpr -expt-extended-lambda --expt-extended-lambda "
     "-extended-lambda --extended-lambda -restrict --restrict -res-usage --resource-usage -src-in-ptx "
     "--source-in-ptx -noprof --no-profile -no-compress --no-compress -allow-unsupported-compiler "
     "--allow-unsupported-compiler -clean --clean-targets -lto --lto -dlto --dlink-time-opt "
     "-forward-unknown-to-host-linker --forward-unknown-to-host-linker -extra-device-vectorization "
     "--extra-device-vectorization -display-error-number --display-error-number -no-display-error-number "
     "--no-display-error-number -save-temps --save-temps -use-local-env --use-local-env",
     FLAG, cc_ignore, 0, 0, NULL},
};

enum { OPTION_COUNT = sizeof options / sizeof *options };

/* Does `names` hold a name that `arg` begins with, and does the rest suit the form? *rest: behind the name. */
static bool option_matches(const struct option *option, const char *arg, const char **rest)
{
	for (const char *name = option->names; *name;) {
		size_t length = strcspn(name, " ");
		if (!strncmp(arg, name, length)) {
			char next = arg[length];
			bool joins = option->form == JOINED && name[1] != '-';
			if (!next || (next == '=' && option->form != FLAG) || joins) {
				*rest = arg + length;
				return true;
			}
		}
		name += length + (name[length] == ' ');
	}
	return false;
}

static const struct option *find_option(const char *arg, const char **rest)
{
	for (int pass = 0; pass < 2; pass++) /* whole names before prefixes: -link is not -l ink */
		for (int i = 0; i < OPTION_COUNT; i++)
			if (option_matches(&options[i], arg, rest) && (pass || !**rest || **rest == '='))
				return &options[i];
	return NULL;
}

static bool refuse_unknown(const char *arg, struct error *err)
{
	struct words names = {0};
	words_format(&names, "%.*s", (int)strcspn(arg, "="), arg);
	struct suggest suggest = suggest_start(names.text[0]);
	for (int i = 0; i < OPTION_COUNT; i++)
		for (const char *name = options[i].names; *name;) {
			size_t length = strcspn(name, " ");
			words_format(&names, "%.*s", (int)length, name);
			suggest_offer(&suggest, names.text[names.count - 1]);
			name += length + (name[length] == ' ');
		}
	char clip[CLIP_SIZE];
	if (suggest.best)
		error_set(err, "unknown option '%s'; did you mean '%s'?", clip_text(clip, arg), suggest.best);
	else
		error_set(err, "unknown option '%s'; see 'sluice cc --help'", clip_text(clip, arg));
	words_free(&names);
	return false;
}

/* -f, -g, -m and -W concern the host's compiler alone, as far as they are not in the table. */
static bool is_host_option(const char *arg)
{
	return arg[0] == '-' && arg[1] && strchr("fgmW", arg[1]) && arg[2];
}

static bool read_option(int argc, char **argv, int *at, struct cc_order *order, struct error *err)
{
	const char *arg = argv[*at], *value = NULL;
	const struct option *option = find_option(arg, &value);
	if (!option)
		return is_host_option(arg) || order->forwards_unknown
		           ? cc_add_unknown_host_option(order, arg, err)
		           : refuse_unknown(arg, err);
	if (option->form == FLAG)
		value = NULL;
	else if (*value == '=' && !(option->form == JOINED && arg[1] != '-'))
		value++;
	else if (!*value && option->action == cc_set_optimize)
		value = "1";
	else if (!*value) {
		if (*at + 1 >= argc)
			return error_set(err, "option '%s' needs a value", arg);
		value = argv[++*at];
	}
	char name[64];
	snprintf(name, sizeof name, "%.*s", (int)strcspn(option->names, " "), option->names);
	struct cc_given given = {name, value, option->number, (char *)order + option->where};
	return option->action(order, &given, err);
}

/* The words of a file, as a shell reads them: separated by white space, in quotes or behind a backslash whole. */
static void split_words(char *text, struct words *words)
{
	for (char *at = text + strspn(text, " \t\r\n"); *at; at += strspn(at, " \t\r\n")) {
		char *begin = at, *to = at, quote = 0;
		for (; *at && (quote || !strchr(" \t\r\n", *at)); at++) {
			if (quote ? *at == quote : *at == '"' || *at == '\'')
				quote = quote ? 0 : *at;
			else if (*at == '\\' && at[1] && quote != '\'')
				*to++ = *++at;
			else
				*to++ = *at;
		}
		char end = *at;
		*to = 0;
		words_add(words, begin);
		at += end != 0;
	}
}

/* --options-file FILE or =FILE at argv[*at]: its words take part as if they stood here. */
static bool read_options_file(int argc, char **argv, int *at, struct cc_order *order, struct error *err)
{
	const char *path = strchr(argv[*at], '=');
	if (!path && *at + 1 >= argc)
		return error_set(err, "option '%s' needs a value", argv[*at]);
	char *text = cc_read_file(path ? path + 1 : argv[++*at], err);
	if (!text)
		return false;
	if (order->files_open > 16) {
		free(text);
		return error_set(err, "options files that read one another without end");
	}
	struct words words = {0};
	words_add(&words, "nvcc");
	split_words(text, &words);
	free(text);
	/* The order keeps pointers to the words, and its list of them grows meanwhile. */
	char **kept = memory_zeroed(words.count, sizeof *kept);
	for (size_t i = 0; i < words.count; i++) {
		words_add(&order->owned, words.text[i]);
		kept[i] = order->owned.text[order->owned.count - 1];
	}
	order->files_open++;
	bool done = cc_read_options((int)words.count, kept, order, err);
	order->files_open--;
	free(kept);
	words_free(&words);
	return done;
}

static bool is_options_file(const char *arg)
{
	size_t length = strcspn(arg, "=");
	return (length == 14 && !strncmp(arg, "--options-file", length)) ||
	       (length == 5 && !strncmp(arg, "-optf", length));
}

bool cc_read_options(int argc, char **argv, struct cc_order *order, struct error *err)
{
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-"))
			return error_set(err, "standard input cannot be compiled: name a file");
		if (argv[i][0] != '-') {
			cc_add_item(order, argv[i], true);
			order->input_count++;
		} else if (is_options_file(argv[i])) {
			if (!read_options_file(argc, argv, &i, order, err))
				return false;
		} else if (!read_option(argc, argv, &i, order, err)) {
			return false;
		} else if (!strcmp(argv[i], "-Werror") && i + 1 < argc &&
		           !strcmp(argv[i + 1], "all-warnings")) {
			i++;
		}
	}
	return true;
}

size_t cc_describe_options(struct arg args[CC_OPTIONS_MAX])
{
	size_t count = 0;
	_Static_assert((int)OPTION_COUNT <= (int)CC_OPTIONS_MAX, "more options than there is room for");
	for (int i = 0; i < OPTION_COUNT; i++)
		if (options[i].help)
			args[count++] = (struct arg){.name = options[i].names,
			                             .value = options[i].form == FLAG ? NULL : "VALUE",
			                             .help = options[i].help};
	return count;
}

void cc_free_order(struct cc_order *order)
{
	struct words *lists[] = {&order->device, &order->cuda_host, &order->cuda, &order->plain,
	                         &order->all,    &order->link,      &order->owned};
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		words_free(lists[i]);
	free(order->items);
}
