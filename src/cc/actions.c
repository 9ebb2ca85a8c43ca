/* What the options of `sluice cc` do. */
#include "cc/actions.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

/* ---- storing -------------------------------------------------------------------------------------------- */

bool cc_ignore(struct cc_order *order, const struct cc_given *given, struct error *err)
{
	(void)order, (void)given, (void)err;
	return true;
}

bool cc_refuse(struct cc_order *order, const struct cc_given *given, struct error *err)
{
	(void)order;
	return error_set(
	    err, "option '%s' asks for what only NVIDIA's compiler makes; only PTX is generated (-ptx)",
	    given->name);
}

/* Machine code is not made; cuModuleLoad() takes PTX in its place. */
bool cc_set_binary(struct cc_order *order, const struct cc_given *given, struct error *err)
{
	(void)err;
	order->stage = CC_PTX;
	order->ptx_ending = !strcmp(given->name, "-cubin") ? ".cubin" : ".fatbin";
	return true;
}

bool cc_set_flag(struct cc_order *order, const struct cc_given *given, struct error *err)
{
	(void)order, (void)err;
	*(bool *)given->where = true;
	return true;
}

bool cc_set_text(struct cc_order *order, const struct cc_given *given, struct error *err)
{
	(void)order, (void)err;
	*(const char **)given->where = given->value;
	return true;
}

bool cc_set_stage(struct cc_order *order, const struct cc_given *given, struct error *err)
{
	(void)err;
	order->stage = (enum cc_stage)given->number;
	return true;
}

bool cc_set_language(struct cc_order *order, const struct cc_given *given, struct error *err)
{
	static const struct {
		const char *name;
		enum cc_language language;
	} known[] = {{"cu", CC_CUDA}, {"cuda", CC_CUDA}, {"c", CC_C}, {"c++", CC_CXX}, {"none", CC_BY_NAME}};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (!strcmp(given->value, known[i].name)) {
			order->language = known[i].language;
			return true;
		}
	return error_set(err, "-x %s: expected cu, c or c++", given->value);
}

bool cc_set_optimize(struct cc_order *order, const struct cc_given *given, struct error *err)
{
	if (strlen(given->value) > 5 || !strchr("0123sgzf", given->value[0]))
		return error_set(err, "-O%s: expected -O0 to -O3", given->value);
	words_format(&order->owned, "-O%s", given->value);
	order->optimize = order->owned.text[order->owned.count - 1];
	return true;
}

bool cc_set_registers(struct cc_order *order, const struct cc_given *given, struct error *err)
{
	char *end;
	unsigned long count = strtoul(given->value, &end, 10);
	if (*end || end == given->value || count > 255)
		return error_set(err, "-maxrregcount=%s: expected 0 to 255", given->value);
	order->max_registers = (unsigned)count;
	return true;
}

bool cc_set_dependencies(struct cc_order *order, const struct cc_given *given, struct error *err)
{
	(void)err;
	order->stage = CC_DEPENDENCIES;
	words_add(&order->owned, given->name);
	order->dependencies = order->owned.text[order->owned.count - 1];
	return true;
}

/* ---- lists ---------------------------------------------------------------------------------------------- */

void cc_add_item(struct cc_order *order, const char *text, bool is_input)
{
	order->items = memory_grow(order->items, order->item_count + 1, sizeof *order->items);
	order->items[order->item_count++] = (struct cc_item){text, is_input, order->language};
}

static void add_link_item(struct cc_order *order, const char *name, const char *value)
{
	words_format(&order->owned, "%s%s", name, value);
	cc_add_item(order, order->owned.text[order->owned.count - 1], false);
}

bool cc_pass(struct cc_order *order, const struct cc_given *given, struct error *err)
{
	(void)order, (void)err;
	words_add(given->where, given->name);
	return true;
}

bool cc_pass_joined(struct cc_order *order, const struct cc_given *given, struct error *err)
{
	(void)order, (void)err;
	words_format(given->where, "%s%s", given->name, given->value);
	return true;
}

bool cc_pass_value(struct cc_order *order, const struct cc_given *given, struct error *err)
{
	(void)order, (void)err;
	words_add(given->where, given->name);
	words_add(given->where, given->value);
	return true;
}

bool cc_add_link(struct cc_order *order, const struct cc_given *given, struct error *err)
{
	(void)err;
	add_link_item(order, given->name, given->value);
	return true;
}

/* Folders of NVIDIA's toolkit would take the place of ours, or half of it: they are left out, and that is said. */
static bool is_foreign(const struct cc_order *order, const char *option, const char *folder,
                       bool (*test)(const char *))
{
	if (!test(folder))
		return false;
	fprintf(order->messages, "sluice cc: %s%s is left out: it belongs to another CUDA toolkit\n", option,
	        folder);
	return true;
}

bool cc_add_include(struct cc_order *order, const struct cc_given *given, struct error *err)
{
	(void)err;
	if (is_foreign(order, given->name, given->value, cc_is_foreign_headers) ||
	    cc_is_own_headers(given->value))
		return true;
	if (!strcmp(given->name, "-I")) {
		words_format(&order->all, "-I%s", given->value);
	} else {
		words_add(&order->all, given->name);
		words_add(&order->all, given->value);
	}
	return true;
}

bool cc_add_library_folder(struct cc_order *order, const struct cc_given *given, struct error *err)
{
	return is_foreign(order, given->name, given->value, cc_is_foreign_libraries) ||
	       cc_add_link(order, given, err);
}

/* Parts of a toolkit that the runtime or the headers take the place of. */
bool cc_add_library(struct cc_order *order, const struct cc_given *given, struct error *err)
{
	static const char *const replaced[] = {"cudart",  "cudart_static", "cuda", "cudadevrt",
	                                       "culibos", "nvToolsExt",    "nvrtc"};
	for (size_t i = 0; i < sizeof replaced / sizeof *replaced; i++)
		if (!strcmp(given->value, replaced[i]))
			return true;
	if (!strncmp(given->value, "cutil", 5) || !strncmp(given->value, "shrutil", 7))
		return true;
	return cc_add_link(order, given, err);
}

/* ---- options of other programs ---------------------------------------------------------------------------- */

/* Options for C, or that only gcc has: the host's part of .cu files is compiled by clang, as C++. */
static bool suits_clang(const char *arg)
{
	static const char *const not [] = {"-std=c9",   "-std=gnu9", "-std=c1",      "-std=gnu1", "-std=c8",
	                                   "-std=gnu8", "-ansi",     "-fpermissive", "-fopenmp",  "-Wl,"};
	for (size_t i = 0; i < sizeof not / sizeof *not ; i++)
		if (!strncmp(arg, not [i], strlen(not [i])))
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
	if (!strncmp(arg, "-I", 2) || !strncmp(arg, "-D", 2) || !strncmp(arg, "-M", 2))
		return;
	words_add(&order->link, arg);
}

bool cc_add_unknown_host_option(struct cc_order *order, const char *arg, struct error *err)
{
	(void)err;
	add_host_option(order, arg);
	return true;
}

bool cc_pass_host(struct cc_order *order, const struct cc_given *given, struct error *err)
{
	(void)err;
	add_host_option(order, given->name);
	return true;
}

bool cc_pass_host_value(struct cc_order *order, const struct cc_given *given, struct error *err)
{
	(void)err;
	struct words *lists[] = {&order->cuda_host, &order->plain};
	for (int i = 0; i < 2; i++) {
		words_add(lists[i], given->name);
		words_add(lists[i], given->value);
	}
	return true;
}

bool cc_write_dependencies(struct cc_order *order, const struct cc_given *given, struct error *err)
{
	order->writes_dependencies = true;
	return cc_pass_host(order, given, err);
}

bool cc_name_dependencies(struct cc_order *order, const struct cc_given *given, struct error *err)
{
	order->names_dependencies = true;
	return cc_pass_host_value(order, given, err);
}

/* Calls `add` for every piece of "a,b c"; quotes are dropped. */
static void split(struct cc_order *order, const char *list, void (*add)(struct cc_order *, const char *))
{
	char *copy = memory_text(list), *to = copy;
	for (const char *from = list; *from; from++)
		if (*from != '"' && *from != '\'')
			*to++ = *from;
	*to = 0;
	char *rest;
	for (char *piece = strtok_r(copy, ", \t", &rest); piece; piece = strtok_r(NULL, ", \t", &rest))
		add(order, piece);
	free(copy);
}

bool cc_add_host_options(struct cc_order *order, const struct cc_given *given, struct error *err)
{
	(void)err;
	split(order, given->value, add_host_option);
	return true;
}

static void add_linker_option(struct cc_order *order, const char *arg)
{
	add_link_item(order, "-Xlinker", "");
	add_link_item(order, arg, "");
}

bool cc_add_linker_options(struct cc_order *order, const struct cc_given *given, struct error *err)
{
	(void)err;
	split(order, given->value, add_linker_option);
	return true;
}

/* ---- device code ---------------------------------------------------------------------------------------- */

/* Every "..._70" in the text; the oldest from sm_70 on wins, as all of them must run the program. */
bool cc_add_architecture(struct cc_order *order, const struct cc_given *given, struct error *err)
{
	bool known = strstr(given->value, "native") || !strncmp(given->value, "all", 3);
	for (const char *at = strchr(given->value, '_'); at; at = strchr(at + 1, '_')) {
		char *end;
		unsigned long sm = strtoul(at + 1, &end, 10);
		if (end == at + 1 || sm > 999)
			continue;
		known = true;
		if (sm >= 70 && (!order->sm || sm < order->sm))
			order->sm = (unsigned)sm;
	}
	return known || error_set(err, "%s=%s: expected sm_70 or the like", given->name, given->value);
}

bool cc_check_machine(struct cc_order *order, const struct cc_given *given, struct error *err)
{
	(void)order;
	return !strcmp(given->value, "64") ||
	       error_set(err, "only 64-bit code can be generated, not %s", given->value);
}

static bool read_bool(const struct cc_given *given, bool *is_true, struct error *err)
{
	*is_true = !strcmp(given->value, "true") || !strcmp(given->value, "1");
	return *is_true || !strcmp(given->value, "false") || !strcmp(given->value, "0") ||
	       error_set(err, "%s=%s: expected true or false", given->name, given->value);
}

bool cc_check_bool(struct cc_order *order, const struct cc_given *given, struct error *err)
{
	(void)order;
	bool wanted;
	return read_bool(given, &wanted, err);
}

/* -rdc=BOOL, or -dc, which is a stage as well. */
bool cc_set_relocatable(struct cc_order *order, const struct cc_given *given, struct error *err)
{
	if (given->value)
		return read_bool(given, &order->is_relocatable, err);
	order->is_relocatable = true;
	return cc_set_stage(order, given, err);
}

bool cc_set_default_stream(struct cc_order *order, const struct cc_given *given, struct error *err)
{
	if (!strcmp(given->value, "per-thread"))
		words_add(&order->all, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM");
	else if (strcmp(given->value, "legacy") && strcmp(given->value, "null"))
		return error_set(err, "-default-stream=%s: expected legacy or per-thread", given->value);
	return true;
}

/* Adds the words to device code when the value is what `when` says. */
static bool add_if(struct cc_order *order, const struct cc_given *given, bool when, const char *a,
                   const char *b, struct error *err)
{
	bool is_true;
	if (!read_bool(given, &is_true, err))
		return false;
	if (is_true != when)
		return true;
	words_add(&order->device, a);
	if (b)
		words_add(&order->device, b);
	return true;
}

bool cc_set_flush(struct cc_order *order, const struct cc_given *given, struct error *err)
{
	return add_if(order, given, true, "-fcuda-flush-denormals-to-zero", NULL, err);
}

bool cc_set_division(struct cc_order *order, const struct cc_given *given, struct error *err)
{
	return add_if(order, given, false, "-mllvm", "-nvptx-prec-divf32=1", err);
}

bool cc_set_contraction(struct cc_order *order, const struct cc_given *given, struct error *err)
{
	return add_if(order, given, false, "-ffp-contract=off", NULL, err);
}
