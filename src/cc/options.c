/*
 * The options of `sluice cc`, which are nvcc's. One table gives reading, checking and the help text; each option names the
 * action that changes the order. Options of tools that are not used (ptxas, nvlink) are accepted without effect.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/suggest.h"
#include "cc/order.h"
#include "cc/tools.h"

/* What an option does to the order: act(). */
enum action {
	IGNORE,
	REFUSE,
	/* fields */
	SET_FLAG,
	SET_TEXT,
	SET_STAGE,
	SET_BINARY,
	SET_LANGUAGE,
	SET_OPTIMIZE,
	SET_REGISTERS,
	SET_RELOCATABLE,
	SET_DEPENDENCIES,
	/* the name to the list that the table names; name and value as one word; as two */
	PASS,
	PASS_JOINED,
	PASS_VALUE,
	/* everything that makes host code */
	PASS_HOST,
	PASS_HOST_VALUE,
	PASS_HOST_LIST,
	WRITE_DEPENDENCIES,
	NAME_DEPENDENCIES,
	/* headers and libraries */
	ADD_INCLUDE,
	ADD_LIBRARY,
	ADD_LIBRARY_FOLDER,
	ADD_LINKER_LIST,
	/* device code */
	ADD_ARCHITECTURE,
	CHECK_MACHINE,
	CHECK_BOOL,
	SET_DEFAULT_STREAM,
	SET_FLUSH,
	SET_DIVISION,
	SET_CONTRACTION
};

/* An option as it was given. */
struct given {
	const char *name;  /* its first name */
	const char *value; /* NULL: a flag */
	int number;        /* of the table */
	void *where;       /* the field that the table names */
};

/* ---- fields --------------------------------------------------------------------------------------------- */

static bool set_language(struct cc_order *order, const char *value, struct error *err)
{
	static const struct {
		const char *name;
		enum cc_language language;
	} known[] = {{"cu", CC_CUDA}, {"cuda", CC_CUDA}, {"c", CC_C}, {"c++", CC_CXX}, {"none", CC_BY_NAME}};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (!strcmp(value, known[i].name)) {
			order->language = known[i].language;
			return true;
		}
	return error_set(err, "-x %s: expected cu, c or c++", value);
}

static bool set_optimize(struct cc_order *order, const char *value, struct error *err)
{
	if (strlen(value) > 5 || !strchr("0123sgzf", value[0]))
		return error_set(err, "-O%s: expected -O0 to -O3", value);
	order->optimize = words_format(&order->owned, "-O%s", value);
	return true;
}

static bool set_registers(struct cc_order *order, const char *value, struct error *err)
{
	char *end;
	unsigned long count = strtoul(value, &end, 10);
	if (*end || end == value || count > 255)
		return error_set(err, "-maxrregcount=%s: expected 0 to 255", value);
	order->max_registers = (unsigned)count;
	return true;
}

/* ---- headers and libraries ------------------------------------------------------------------------------ */

static void add_item(struct cc_order *order, const char *text, bool is_input)
{
	order->items = memory_grow(order->items, order->item_count + 1, sizeof *order->items);
	order->items[order->item_count++] = (struct cc_item){text, is_input, order->language};
}

static bool add_link_item(struct cc_order *order, const char *name, const char *value)
{
	add_item(order, words_format(&order->owned, "%s%s", name, value), false);
	return true;
}

/* Whether a folder is of NVIDIA's toolkit, which would hide sluice's: warn that it is left out. */
static bool is_foreign(const struct cc_order *order, const struct given *given, bool (*test)(const char *))
{
	if (!test(given->value))
		return false;
	fprintf(order->messages, "sluice cc: %s%s is left out: it belongs to another CUDA toolkit\n",
	        given->name, given->value);
	return true;
}

static bool add_include(struct cc_order *order, const struct given *given)
{
	if (is_foreign(order, given, cc_is_foreign_headers) || cc_is_own_headers(given->value))
		return true;
	if (!strcmp(given->name, "-I"))
		words_format(&order->all, "-I%s", given->value);
	else
		words_add_all(&order->all, given->name, given->value, NULL);
	return true;
}

/* Add a library, unless the runtime or the headers replace it. */
static bool add_library(struct cc_order *order, const struct given *given)
{
	static const char *const replaced[] = {"cudart",  "cudart_static", "cuda", "cudadevrt",
	                                       "culibos", "nvToolsExt",    "nvrtc"};
	for (size_t i = 0; i < sizeof replaced / sizeof *replaced; i++)
		if (!strcmp(given->value, replaced[i]))
			return true;
	return word_begins(given->value, "cutil") || word_begins(given->value, "shrutil") ||
	       add_link_item(order, given->name, given->value);
}

/* ---- options of other programs ---------------------------------------------------------------------------- */

/* Whether an option goes with clang compiling C++, which the host's part of .cu files is: neither for C nor for gcc only. */
static bool suits_clang(const char *arg)
{
	static const char *const not [] = {"-std=c9",   "-std=gnu9", "-std=c1",      "-std=gnu1", "-std=c8",
	                                   "-std=gnu8", "-ansi",     "-fpermissive", "-fopenmp",  "-Wl,"};
	for (size_t i = 0; i < sizeof not / sizeof *not ; i++)
		if (word_begins(arg, not [i]))
			return false;
	return true;
}

static void add_host_option(struct cc_order *order, const char *arg)
{
	if (!strcmp(arg, "-fopenmp"))
		order->wants_openmp = true;
	if (suits_clang(arg))
		words_add(&order->cuda_host, arg);
	words_add(&order->plain, arg);
	if (!word_begins(arg, "-I") && !word_begins(arg, "-D") && !word_begins(arg, "-M"))
		words_add(&order->link, arg);
}

static bool pass_host_value(struct cc_order *order, const struct given *given)
{
	words_add_all(&order->cuda_host, given->name, given->value, NULL);
	words_add_all(&order->plain, given->name, given->value, NULL);
	return true;
}

static void add_linker_option(struct cc_order *order, const char *arg)
{
	add_link_item(order, "-Xlinker", "");
	add_link_item(order, arg, "");
}

/* Call `take` for every piece of "a,b c"; quotes are dropped. */
static bool split(struct cc_order *order, const char *list, void (*take)(struct cc_order *, const char *))
{
	char *copy = memory_text(list), *to = copy;
	for (const char *from = list; *from; from++)
		if (*from != '"' && *from != '\'')
			*to++ = *from;
	*to = 0;
	char *rest;
	for (char *piece = strtok_r(copy, ", \t", &rest); piece; piece = strtok_r(NULL, ", \t", &rest))
		take(order, piece);
	free(copy);
	return true;
}

/* ---- device code ---------------------------------------------------------------------------------------- */

/* Whether device code for `sm` suits the program better: the newest listed one that a device here has, else the oldest. */
static bool is_better(unsigned sm, unsigned than)
{
	if (!than || (sm > CC_NEWEST_SM) != (than > CC_NEWEST_SM))
		return !than || sm <= CC_NEWEST_SM;
	return sm > CC_NEWEST_SM ? sm < than : sm > than;
}

/* Read every "..._70" in the text, from sm_70 on. */
static bool add_architecture(struct cc_order *order, const struct given *given, struct error *err)
{
	bool known = strstr(given->value, "native") || word_begins(given->value, "all");
	for (const char *at = strchr(given->value, '_'); at; at = strchr(at + 1, '_')) {
		char *end;
		unsigned long sm = strtoul(at + 1, &end, 10);
		if (end == at + 1 || sm > 999)
			continue;
		known = true;
		if (sm >= CC_OLDEST_SM && is_better((unsigned)sm, order->sm))
			order->sm = (unsigned)sm;
	}
	return known || error_set(err, "%s=%s: expected sm_70 or the like", given->name, given->value);
}

static bool read_bool(const struct given *given, bool *is_true, struct error *err)
{
	*is_true = !strcmp(given->value, "true") || !strcmp(given->value, "1");
	return *is_true || !strcmp(given->value, "false") || !strcmp(given->value, "0") ||
	       error_set(err, "%s=%s: expected true or false", given->name, given->value);
}

static bool set_default_stream(struct cc_order *order, const char *value, struct error *err)
{
	if (!strcmp(value, "per-thread"))
		words_add(&order->all, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM");
	else if (strcmp(value, "legacy") && strcmp(value, "null"))
		return error_set(err, "-default-stream=%s: expected legacy or per-thread", value);
	return true;
}

/* Add one or two words to the options of device code if the value is `when`. */
static bool add_if(struct cc_order *order, const struct given *given, bool when, const char *a, const char *b,
                   struct error *err)
{
	bool is_true;
	if (!read_bool(given, &is_true, err))
		return false;
	if (is_true == when)
		words_add_all(&order->device, a, b, NULL);
	return true;
}

/* ---- all ------------------------------------------------------------------------------------------------ */

/* Actions on headers, libraries and device code. */
static bool add(enum action action, struct cc_order *order, const struct given *given, struct error *err)
{
	bool ignored;
	switch (action) {
	case ADD_INCLUDE:
		return add_include(order, given);
	case ADD_LIBRARY:
		return add_library(order, given);
	case ADD_LIBRARY_FOLDER:
		return is_foreign(order, given, cc_is_foreign_libraries) ||
		       add_link_item(order, given->name, given->value);
	case ADD_LINKER_LIST:
		return split(order, given->value, add_linker_option);
	case ADD_ARCHITECTURE:
		return add_architecture(order, given, err);
	case CHECK_MACHINE:
		return !strcmp(given->value, "64") ||
		       error_set(err, "only 64-bit code can be generated, not %s", given->value);
	case CHECK_BOOL:
		return read_bool(given, &ignored, err);
	case SET_DEFAULT_STREAM:
		return set_default_stream(order, given->value, err);
	case SET_FLUSH:
		return add_if(order, given, true, "-fcuda-flush-denormals-to-zero", NULL, err);
	case SET_DIVISION:
		return add_if(order, given, false, "-mllvm", "-nvptx-prec-divf32=1", err);
	case SET_CONTRACTION:
		return add_if(order, given, false, "-ffp-contract=off", NULL, err);
	default:
		BUG("action %d of an option", (int)action);
	}
}

/* Actions on lists of words, and the others. */
static bool pass(enum action action, struct cc_order *order, const struct given *given, struct error *err)
{
	switch (action) {
	case PASS:
		words_add(given->where, given->name);
		return true;
	case PASS_JOINED:
		words_format(given->where, "%s%s", given->name, given->value);
		return true;
	case PASS_VALUE:
		words_add_all(given->where, given->name, given->value, NULL);
		return true;
	case WRITE_DEPENDENCIES:
		order->writes_dependencies = true;
		/* fall through */
	case PASS_HOST:
		add_host_option(order, given->name);
		return true;
	case NAME_DEPENDENCIES:
		order->names_dependencies = true;
		order->dependency_file = given->value;
		/* fall through */
	case PASS_HOST_VALUE:
		return pass_host_value(order, given);
	case PASS_HOST_LIST:
		return split(order, given->value, add_host_option);
	default:
		return add(action, order, given, err);
	}
}

/* Do what the table says of an option. */
static bool act(enum action action, struct cc_order *order, const struct given *given, struct error *err)
{
	switch (action) {
	case IGNORE:
		return true;
	case REFUSE:
		return error_set(
		    err,
		    "option '%s' asks for what only NVIDIA's compiler makes; only PTX is generated (-ptx)",
		    given->name);
	case SET_FLAG:
		*(bool *)given->where = true;
		return true;
	case SET_TEXT:
		*(const char **)given->where = given->value;
		return true;
	case SET_BINARY: /* PTX in place of machine code: cuModuleLoad() takes it */
		order->stage = CC_PTX;
		order->ptx_ending = !strcmp(given->name, "-cubin") ? ".cubin" : ".fatbin";
		return true;
	case SET_RELOCATABLE: /* -rdc=BOOL, or -dc, which is a stage as well */
		if (given->value)
			return read_bool(given, &order->is_relocatable, err);
		order->is_relocatable = true;
		/* fall through */
	case SET_STAGE:
		order->stage = (enum cc_stage)given->number;
		return true;
	case SET_LANGUAGE:
		return set_language(order, given->value, err);
	case SET_OPTIMIZE:
		return set_optimize(order, given->value, err);
	case SET_REGISTERS:
		return set_registers(order, given->value, err);
	case SET_DEPENDENCIES:
		order->stage = CC_DEPENDENCIES;
		order->dependencies = words_format(&order->owned, "%s", given->name);
		return true;
	default:
		return pass(action, order, given, err);
	}
}

/* ---- the table ------------------------------------------------------------------------------------------ */

enum form {
	FLAG,
	VALUE,  /* "-o file", "-arch=sm_70" */
	JOINED, /* "-Idir", "-I dir", "--include-path=dir" */
};

struct option {
	const char *names; /* separated by spaces; the first is what --help and compilers get */
	enum form form;
	enum action action;
	size_t where; /* offset in struct cc_order, for actions that store */
	int number;   /* for actions that store one */
	const char *help;
};

#define AT(field) offsetof(struct cc_order, field)

static const struct option options[] = {
    {"-o --output-file", VALUE, SET_TEXT, AT(output), 0, "name of the output"},
    {"-c --compile", FLAG, SET_STAGE, 0, CC_OBJECT, "compile to objects, do not link"},
    {"-dc --device-c", FLAG, SET_RELOCATABLE, 0, CC_OBJECT, "the same, with -rdc=true"},
    {"-E --preprocess", FLAG, SET_STAGE, 0, CC_PREPROCESS, "preprocess only"},
    {"-ptx --ptx", FLAG, SET_STAGE, 0, CC_PTX, "compile the device code of .cu files to PTX"},
    {"-lib --lib", FLAG, SET_STAGE, 0, CC_ARCHIVE, "make a static library"},
    {"-link --link", FLAG, SET_STAGE, 0, CC_LINK, "compile and link (default)"},
    {"-shared --shared", FLAG, SET_FLAG, AT(shared), 0, "make a shared library"},
    {"-M --generate-dependencies", FLAG, SET_DEPENDENCIES, 0, 0, "print a makefile rule"},
    {"-MM --generate-nonsystem-dependencies", FLAG, SET_DEPENDENCIES, 0, 0,
     "the same without system headers"},
    {"-MD --generate-dependencies-with-compile", FLAG, WRITE_DEPENDENCIES, 0, 0,
     "write a rule next to the object"},
    {"-MMD --generate-nonsystem-dependencies-with-compile", FLAG, WRITE_DEPENDENCIES, 0, 0,
     "the same without system headers"},
    {"-MP --generate-dependency-targets", FLAG, PASS_HOST, 0, 0, "add a phony target for every header"},
    {"-MF --dependency-output", JOINED, NAME_DEPENDENCIES, 0, 0, "file for the rule"},
    {"-MT --dependency-target-name", JOINED, PASS_HOST_VALUE, 0, 0, "target of the rule"},
    {"-MQ", JOINED, PASS_HOST_VALUE, 0, 0, "target of the rule, quoted for make"},
    {"-I --include-path", JOINED, ADD_INCLUDE, 0, 0, "search this folder for headers"},
    {"-isystem --system-include", JOINED, ADD_INCLUDE, 0, 0, "the same, after all -I"},
    {"-include --pre-include", JOINED, PASS_VALUE, AT(all), 0, "include this file first"},
    {"-D --define-macro", JOINED, PASS_JOINED, AT(all), 0, "define a macro"},
    {"-U --undefine-macro", JOINED, PASS_JOINED, AT(all), 0, "undefine a macro"},
    {"-L --library-path", JOINED, ADD_LIBRARY_FOLDER, 0, 0, "search this folder for libraries"},
    {"-l --library", JOINED, ADD_LIBRARY, 0, 0, "link this library"},
    {"-std --std", VALUE, SET_TEXT, AT(standard), 0, "c++11, c++14, c++17 (default: gnu++17), c++20"},
    {"-O --optimize", JOINED, SET_OPTIMIZE, 0, 0,
     "level for host code; device code is built with -O2, or -O3 if asked for"},
    {"-g --debug", FLAG, PASS_HOST, 0, 0, "debug information for host code"},
    {"-ffile-prefix-map", JOINED, PASS_JOINED, AT(all), 0,
     "=OLD=NEW: folders of sources as debug information and PTX name them"},
    {"-G --device-debug", FLAG, SET_FLAG, AT(debug_device), 0, "do not optimize device code"},
    {"-clang-code --clang-code", FLAG, SET_FLAG, AT(clang_code), 0,
     "leave device code as clang makes it, not as nvcc would: for machines whose code is not scheduled"},
    {"-lineinfo --generate-line-info", FLAG, IGNORE, 0, 0, "source lines in device code (always there)"},
    {"-arch --gpu-architecture", VALUE, ADD_ARCHITECTURE, 0, 0,
     "architecture; device code is made for one, sm_70 or newer"},
    {"-code --gpu-code", VALUE, ADD_ARCHITECTURE, 0, 0, "the same"},
    {"-gencode --generate-code", VALUE, ADD_ARCHITECTURE, 0, 0, "the same; the newest up to sm_90 is used"},
    {"-m64", FLAG, IGNORE, 0, 0, "64-bit code (always)"},
    {"-m --machine", VALUE, CHECK_MACHINE, 0, 0, "64"},
    {"-use_fast_math --use_fast_math", FLAG, SET_FLAG, AT(fast_math), 0,
     "quick, less exact device mathematics"},
    {"-ftz --ftz", VALUE, SET_FLUSH, 0, 0, "true: flush denormal floats to zero"},
    {"-prec-div --prec-div", VALUE, SET_DIVISION, 0, 0, "false: approximate float division"},
    {"-prec-sqrt --prec-sqrt", VALUE, CHECK_BOOL, 0, 0, "accepted; square roots are exact"},
    {"-fmad --fmad", VALUE, SET_CONTRACTION, 0, 0, "false: do not fuse multiplications and additions"},
    {"-maxrregcount --maxrregcount", VALUE, SET_REGISTERS, 0, 0,
     "most registers per thread that the runtime assumes"},
    {"-Xcompiler --compiler-options", VALUE, PASS_HOST_LIST, 0, 0,
     "options for host code, separated by commas"},
    {"-Xlinker --linker-options", VALUE, ADD_LINKER_LIST, 0, 0,
     "options for the linker, separated by commas"},
    {"-x --x", VALUE, SET_LANGUAGE, 0, 0, "cu, c or c++: language of the files that follow"},
    {"-rdc --relocatable-device-code", VALUE, SET_RELOCATABLE, 0, 0,
     "device code may use that of other files; it is linked when the program runs"},
    {"-default-stream --default-stream", VALUE, SET_DEFAULT_STREAM, 0, 0, "legacy or per-thread"},
    {"-w --disable-warnings", FLAG, PASS, AT(all), 0, "no warnings"},
    {"-pg --profile", FLAG, PASS_HOST, 0, 0, "profile host code"},
    {"-pthread", FLAG, PASS_HOST, 0, 0, "threads in host code"},
    {"-rdynamic", FLAG, PASS, AT(link), 0, "export symbols of the program"},
    {"-s", FLAG, PASS, AT(link), 0, "strip the program"},
    {"-static", FLAG, IGNORE, 0, 0, "accepted; the runtime is a shared library"},
    {"-v --verbose", FLAG, SET_FLAG, AT(verbose), 0, "show the commands"},
    {"-dryrun --dryrun", FLAG, SET_FLAG, AT(dry_run), 0, "show the commands, do not run them"},
    {"-keep --keep", FLAG, SET_FLAG, AT(keep), 0, "keep the PTX"},
    {"-keep-dir --keep-dir", VALUE, SET_TEXT, AT(keep_dir), 0, "where to keep it"},
    {"-V --version", FLAG, SET_FLAG, AT(version), 0, "print the version"},
    {"-h --help", FLAG, SET_FLAG, AT(help), 0, "this text"},
    {"-precompile --precompile", FLAG, SET_FLAG, AT(precompile), 0,
     "prepare sluice's headers: with the same options, sources are then read faster"},
    {"-cubin --cubin", FLAG, SET_BINARY, 0, 0,
     "PTX, as the driver API of sluice takes it in place of machine code"},
    {"-fatbin --fatbin", FLAG, SET_BINARY, 0, 0, "the same"},
    {"-dlink --device-link", FLAG, SET_STAGE, 0, CC_DEVICE_LINK,
     "an object without content: there is nothing to link"},
    {"-cudart --cudart", VALUE, SET_TEXT, AT(cudart), 0,
     "static, shared or none: all of them the same library"},
    {"-forward-unknown-to-host-compiler --forward-unknown-to-host-compiler -forward-unknown-opts "
     "--forward-unknown-opts",
     FLAG, SET_FLAG, AT(forwards_unknown), 0, "options that are not listed go to the compiler of host code"},
    {"-optf --options-file", VALUE, IGNORE, 0, 0, "more options and files, from this file"},
    {"-optix-ir --optix-ir", FLAG, REFUSE, 0, 0, NULL},
    /* Without effect: what they ask for is always so, or concerns tools that are not used. */
    {"-Xptxas --ptxas-options -Xnvlink --nvlink-options -Xcudafe -Xfatbin -Xarchive --archive-options -ccbin "
     "--compiler-bindir -t --threads -diag-suppress --diag-suppress -diag-warn --diag-warn "
     "-diag-error --diag-error",
     VALUE, IGNORE, 0, 0, NULL},
    {"-expt-relaxed-constexpr --expt-relaxed-constexpr -expt-extended-lambda --expt-extended-lambda "
     "-extended-lambda --extended-lambda -restrict --restrict -res-usage --resource-usage -src-in-ptx "
     "--source-in-ptx -noprof --no-profile -no-compress --no-compress -allow-unsupported-compiler "
     "--allow-unsupported-compiler -clean --clean-targets -lto --lto -dlto --dlink-time-opt "
     "-forward-unknown-to-host-linker --forward-unknown-to-host-linker -extra-device-vectorization "
     "--extra-device-vectorization -display-error-number --display-error-number -no-display-error-number "
     "--no-display-error-number -save-temps --save-temps -use-local-env --use-local-env",
     FLAG, IGNORE, 0, 0, NULL},
};

enum { OPTION_COUNT = sizeof options / sizeof *options };

/* Whether `arg` begins with a name of the option and the rest suits its form; *rest is behind the name. */
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
	struct suggest suggest = suggest_start(words_format(&names, "%.*s", (int)strcspn(arg, "="), arg));
	for (int i = 0; i < OPTION_COUNT; i++)
		for (const char *name = options[i].names; *name;) {
			size_t length = strcspn(name, " ");
			suggest_offer(&suggest, words_format(&names, "%.*s", (int)length, name));
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

/* Options -f, -g, -m and -W that are not in the table go to the host's compiler alone. */
static bool is_host_option(const char *arg)
{
	return arg[0] == '-' && arg[1] && strchr("fgmW", arg[1]) && arg[2];
}

static bool read_option(int argc, char **argv, int *at, struct cc_order *order, struct error *err)
{
	const char *arg = argv[*at], *value = NULL;
	const struct option *option = find_option(arg, &value);
	if (!option && !is_host_option(arg) && !order->forwards_unknown)
		return refuse_unknown(arg, err);
	if (!option) {
		add_host_option(order, arg);
		return true;
	}
	if (option->form == FLAG)
		value = NULL;
	else if (*value == '=' && !(option->form == JOINED && arg[1] != '-'))
		value++;
	else if (!*value && option->action == SET_OPTIMIZE)
		value = "1";
	else if (!*value) {
		if (*at + 1 >= argc)
			return error_set(err, "option '%s' needs a value", arg);
		value = argv[++*at];
	}
	char name[64];
	snprintf(name, sizeof name, "%.*s", (int)strcspn(option->names, " "), option->names);
	struct given given = {name, value, option->number, (char *)order + option->where};
	return act(option->action, order, &given, err);
}

/* Split a text into words as a shell does: at white space, except in quotes or behind a backslash. */
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

/* Read the words of --options-file FILE or =FILE at argv[*at] in its place. */
static bool read_options_file(int argc, char **argv, int *at, struct cc_order *order, struct error *err)
{
	const char *path = strchr(argv[*at], '=');
	if (!path && *at + 1 >= argc)
		return error_set(err, "option '%s' needs a value", argv[*at]);
	char *text = cc_read_text(path ? path + 1 : argv[++*at], err);
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
	/* The order keeps pointers to the words; copies stay where they are while its list grows. */
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
			add_item(order, argv[i], true);
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
