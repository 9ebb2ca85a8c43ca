/*
 * Lane functions against a GPU: every form that has an exact result, on all pairs
 * of edge values and random ones, bit for bit. Also in place, and in warps of 32.
 */
#include "cuda/lanes/lanes.h"
#include "inputs.h"
#include "test.h"

struct gpu_form {
	const char *text;
	unsigned result_bytes; /* 0: a predicate */
	uint64_t hash;
};
struct gpu_result {
	const char *texts;
	uint64_t hash;
};
/* Forms with sources of the same kinds. */
#define GPU_FORMS(bytes, sources, ...)                                                                       \
	{bytes, sources, (const struct gpu_result[]){__VA_ARGS__},                                           \
	 sizeof((const struct gpu_result[]){__VA_ARGS__}) / sizeof(struct gpu_result)},
static const struct gpu_group {
	unsigned result_bytes;
	const char *sources;
	const struct gpu_result *results;
	size_t count;
} groups[] = {
#include "gpu.def"
};
#undef GPU_FORMS

struct sources {
	unsigned count, bytes[4];
	bool is_predicate[4];
	_Alignas(64) unsigned char values[4][INPUTS * 8];
};

static void fill_sources(struct sources *s, const char *kinds)
{
	char kind[16];
	int used;
	s->count = 0;
	for (; sscanf(kinds, "%15s%n", kind, &used) == 1; kinds += used) {
		s->is_predicate[s->count] = !strcmp(kind, "pred");
		s->bytes[s->count] = input_fill(kind, s->count, s->values[s->count]);
		s->count++;
	}
}

/* "op %r0, %r1, ...;" with registers of the right widths, as a module. */
static void print_module(char *text, size_t size, const struct gpu_form *form, const struct sources *s)
{
	static const char *const registers[] = {[2] = "%h", [4] = "%r", [8] = "%d"};
	const char *immediate = strchr(form->text, ' ');
	int n = snprintf(
	    text, size,
	    ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .pred %%p<9>; "
	    ".reg .b16 %%h<9>; .reg .b32 %%r<9>; .reg .b64 %%d<9>;\n%.*s %s0",
	    immediate ? (int)(immediate - form->text) : 99, form->text,
	    form->result_bytes ? registers[form->result_bytes] : "%p");
	for (unsigned i = 0; i < s->count; i++)
		n += snprintf(text + n, size - (size_t)n, ", %s%u",
		              s->is_predicate[i] ? "%p" : registers[s->bytes[i]], i + 1);
	snprintf(text + n, size - (size_t)n, "%s%s;\nret;\n}\n", immediate ? "," : "",
	         immediate ? immediate : "");
}

static lane_fn *find_function(const struct gpu_form *form, const struct sources *s)
{
	char text[1024];
	struct error err = {{0}};
	print_module(text, sizeof text, form, s);
	struct ptx_module *module = ptx_parse(form->text, text, strlen(text), &err);
	if (!module) {
		printf("# %s\n", err.text);
		return NULL;
	}
	struct lane_shape shape = {.result_bytes = (uint8_t)(form->result_bytes ? form->result_bytes : 4)};
	for (unsigned i = 0; i < s->count; i++)
		shape.source_bytes[i] = (uint8_t)s->bytes[i];
	lane_fn *fn = lane_function(&module->insns[0], &shape);
	ptx_module_free(module);
	return fn;
}

enum how { APART, IN_PLACE, WARPS_OF_32 };

static uint64_t run_form(lane_fn *fn, const struct gpu_form *form, struct sources *s, enum how how)
{
	unsigned lanes = how == WARPS_OF_32 ? 32 : 64, bytes = form->result_bytes ? form->result_bytes : 4;
	const char *space = strchr(form->text, ' ');
	uint32_t immediate[LANES_MAX];
	uint64_t hash = 0;
	for (unsigned i = 0; i < LANES_MAX; i++)
		immediate[i] = space ? (uint32_t)strtoul(space, NULL, 0) : 0;
	for (unsigned i = 0; i < INPUTS; i += lanes) {
		unsigned char apart[LANES_MAX * 8];
		void *at[4] = {NULL, NULL, NULL, NULL};
		for (unsigned k = 0; k < s->count; k++)
			at[k] = s->values[k] + (size_t)i * s->bytes[k];
		if (space)
			at[s->count] = immediate;
		unsigned char *result = how == IN_PLACE && s->bytes[0] == bytes ? at[0] : apart;
		fn(result, at[0], at[1], at[2], at[3], lanes);
		for (unsigned k = 0; k < lanes; k++) {
			uint64_t value = 0;
			memcpy(&value, result + (size_t)k * bytes, bytes);
			hash = bits_mix(hash ^ value);
		}
	}
	return hash;
}

static unsigned count_wrong_results(const struct gpu_group *g, const struct gpu_result *result, enum how how)
{
	static struct sources s;
	char text[64];
	const struct gpu_form form = {text, g->result_bytes, result->hash};
	unsigned wrong = 0;
	for (const char *texts = result->texts; input_next_name(&texts, "|", "", text);) {
		fill_sources(&s, g->sources);
		lane_fn *fn = find_function(&form, &s);
		bool same = fn && run_form(fn, &form, &s, how) == form.hash;
		if (!same)
			printf("# %s: %s\n", text, fn ? "differs" : "no function");
		wrong += !same;
	}
	return wrong;
}

static unsigned count_wrong(enum how how)
{
	unsigned wrong = 0;
	for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
		for (size_t i = 0; i < groups[g].count; i++)
			wrong += count_wrong_results(&groups[g], &groups[g].results[i], how);
	return wrong;
}

TEST(every_form_computes_what_a_gpu_computes)
{
	CHECK_EQ(count_wrong(APART), 0);
}

TEST(the_result_may_overwrite_a_source)
{
	CHECK_EQ(count_wrong(IN_PLACE), 0);
}

TEST(warps_of_32_compute_the_same)
{
	CHECK_EQ(count_wrong(WARPS_OF_32), 0);
}

TEST_RUN_ALL(true)
