/* sluice-ptx: launch one kernel of a PTX file. `sluice run k.ptx` starts it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda.h>

#include "loader/argument.h"

enum { ARGUMENTS_MAX = 128, SHOWN_MAX = 16, REFUSED = 2 };

static const char usage[] =
    "usage: sluice run FILE.ptx [--entry NAME] [--grid X[,Y[,Z]]] [--block X[,Y[,Z]]] [--shared BYTES]\n"
    "                  [--args LIST] [--repeat N] [--print N] [--out N=FILE]\n"
    "\n"
    "  --entry NAME   kernel to launch (the only one)\n"
    "  --grid, --block  CTAs of the grid and threads of a CTA (1)\n"
    "  --shared N     bytes of dynamic shared memory (0)\n"
    "  --args LIST    arguments, separated by commas: TYPE:VALUE, int:VALUE, float:VALUE, null,\n"
    "                 buffer:TYPE[COUNT][=INIT],\n"
    "                 tensor:TYPE[ROWSxCOLUMNS]/BOX_ROWSxBOX_COLUMNS[/SWIZZLE][=INIT]\n"
    "                 TYPE: int8 to int64, uint8 to uint64, float16, bfloat16, float32, float64, float8e4m3,\n"
    "                 float8e5m2; INIT: zero, ramp, random[:SEED[:SCALE]], list:A:B:..., @FILE\n"
    "  --repeat N     launch it N times (1)\n"
    "  --print N      print the Nth argument's buffer at the end\n"
    "  --out N=FILE   write the Nth argument's buffer to FILE at the end\n";

struct shown {
	unsigned argument;
	const char *path; /* NULL: print it */
};

struct order {
	const char *path, *entry;
	unsigned grid[3], block[3], shared, repeat;
	struct argument argument[ARGUMENTS_MAX];
	unsigned arguments;
	struct shown shown[SHOWN_MAX];
	unsigned shown_count;
};

static bool refuse(const char *what, const char *word)
{
	fprintf(stderr, "sluice-ptx: %s '%s'\n%s", what, word, usage);
	return false;
}

/* ---- the command line ------------------------------------------------------------------------------------ */

static bool read_number(const char *text, unsigned long least, unsigned *number, const char **behind)
{
	char *end;
	errno = 0;
	unsigned long value = strtoul(text, &end, 10);
	*number = (unsigned)value;
	*behind = end;
	return end != text && !errno && *text != '-' && value >= least && value <= INT32_MAX;
}

static bool read_extent(const char *text, unsigned extent[3])
{
	for (int i = 0; i < 3; i++) {
		if (!read_number(text, 1, &extent[i], &text))
			return false;
		if (!*text)
			return true;
		if (*text != ',' && *text != 'x')
			return false;
		text++;
	}
	return false;
}

static bool read_arguments(struct order *o, char *list)
{
	char problem[PROBLEM_SIZE];
	for (char *word = list, *next; word && *word; word = next) {
		next = strchr(word, ',');
		if (next)
			*next++ = '\0';
		if (o->arguments == ARGUMENTS_MAX)
			return refuse("too many arguments at", word);
		if (!argument_read(&o->argument[o->arguments++], word, problem)) {
			fprintf(stderr, "sluice-ptx: %s\n", problem);
			return false;
		}
	}
	return true;
}

static bool read_shown(struct order *o, const char *text, bool is_file)
{
	const char *behind;
	unsigned number;
	if (o->shown_count == SHOWN_MAX || !read_number(text, 1, &number, &behind) ||
	    *behind != (is_file ? '=' : '\0'))
		return false;
	o->shown[o->shown_count++] = (struct shown){number - 1, is_file ? behind + 1 : NULL};
	return true;
}

static bool read_option(struct order *o, const char *name, char *value)
{
	const char *behind = "";
	bool ok = true;
	if (!strcmp(name, "--entry"))
		o->entry = value;
	else if (!strcmp(name, "--grid"))
		ok = read_extent(value, o->grid);
	else if (!strcmp(name, "--block"))
		ok = read_extent(value, o->block);
	else if (!strcmp(name, "--shared"))
		ok = read_number(value, 0, &o->shared, &behind) && !*behind;
	else if (!strcmp(name, "--repeat"))
		ok = read_number(value, 1, &o->repeat, &behind) && !*behind;
	else if (!strcmp(name, "--args"))
		return read_arguments(o, value);
	else if (!strcmp(name, "--print") || !strcmp(name, "--out"))
		ok = read_shown(o, value, !strcmp(name, "--out"));
	else
		return refuse("unknown option", name);
	return ok || refuse("not what the option expects:", value);
}

/* --name value or --name=value */
static bool read_order(struct order *o, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		char *equals = strncmp(argv[i], "--", 2) ? NULL : strchr(argv[i], '=');
		if (strncmp(argv[i], "--", 2)) {
			if (o->path)
				return refuse("unexpected word", argv[i]);
			o->path = argv[i];
			continue;
		}
		if (equals)
			*equals = '\0';
		else if (i + 1 == argc)
			return refuse("a value is missing behind", argv[i]);
		if (!read_option(o, argv[i], equals ? equals + 1 : argv[i + 1]))
			return false;
		i += !equals;
	}
	if (!o->path)
		return refuse("no file of PTX was given", "");
	for (unsigned i = 0; i < o->shown_count; i++)
		if (o->shown[i].argument >= o->arguments || !o->argument[o->shown[i].argument].count)
			return refuse("--print and --out name a buffer by its number; there is none of",
			              "that");
	return true;
}

/* ---- the launch ------------------------------------------------------------------------------------------ */

static bool ok(CUresult result, const char *what)
{
	const char *text = "unknown error";
	if (!result)
		return true;
	cuGetErrorString(result, &text);
	fprintf(stderr, "sluice-ptx: %s: %s\n", what, text);
	return false;
}

static bool find_kernel(const struct order *o, CUmodule module, CUfunction *kernel)
{
	unsigned count = 0;
	if (o->entry)
		return ok(cuModuleGetFunction(kernel, module, o->entry), o->entry);
	if (!ok(cuModuleGetFunctionCount(&count, module), o->path))
		return false;
	if (count != 1) {
		fprintf(stderr, "sluice-ptx: %s has %u kernels: name one with --entry\n", o->path, count);
		return false;
	}
	return ok(cuModuleEnumerateFunctions(kernel, 1, module), o->path);
}

/* As many arguments as there are parameters, none wider than its own. */
static bool check_parameters(struct order *o, CUfunction kernel)
{
	size_t offset, size;
	unsigned count = 0;
	while (cuFuncGetParamInfo(kernel, count, &offset, &size) == CUDA_SUCCESS) {
		uint64_t given = count < o->arguments ? argument_fit(&o->argument[count], size) : 0;
		if (given > size) {
			fprintf(stderr, "sluice-ptx: argument %u has %zu bytes, the kernel's parameter %zu\n",
			        count + 1, (size_t)given, size);
			return false;
		}
		count++;
	}
	if (count == o->arguments)
		return true;
	fprintf(stderr, "sluice-ptx: %u arguments were given, the kernel has %u parameters\n", o->arguments,
	        count);
	return false;
}

static bool launch(struct order *o, CUfunction kernel)
{
	void *args[ARGUMENTS_MAX + 1] = {NULL};
	if (!check_parameters(o, kernel))
		return false;
	for (unsigned i = 0; i < o->arguments; i++) {
		if (!ok(argument_place(&o->argument[i]), "an argument"))
			return false;
		args[i] = o->argument[i].block;
	}
	if (o->shared &&
	    !ok(cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)o->shared),
	        "--shared"))
		return false;
	for (unsigned i = 0; i < o->repeat; i++)
		if (!ok(cuLaunchKernel(kernel, o->grid[0], o->grid[1], o->grid[2], o->block[0], o->block[1],
		                       o->block[2], o->shared, NULL, args, NULL),
		        "launch"))
			return false;
	return ok(cuCtxSynchronize(), "kernel");
}

/* ---- what came out --------------------------------------------------------------------------------------- */

static bool keep(const struct argument *a, const char *path)
{
	FILE *file = fopen(path, "wb");
	bool good = file && fwrite(a->host, 1, a->bytes, file) == a->bytes;
	good = file && !fclose(file) && good;
	if (!good)
		fprintf(stderr, "sluice-ptx: %s: %s\n", path, strerror(errno));
	return good;
}

static bool show(struct order *o)
{
	for (unsigned i = 0; i < o->shown_count; i++) {
		struct argument *a = &o->argument[o->shown[i].argument];
		if (!ok(cuMemcpyDtoH(a->host, a->address, a->bytes), "copying a buffer back"))
			return false;
		if (o->shown[i].path && !keep(a, o->shown[i].path))
			return false;
		for (uint64_t k = 0; !o->shown[i].path && k < a->count; k++)
			value_print(a->type, a->host + k * a->type->bytes);
	}
	return true;
}

int main(int argc, char **argv)
{
	struct order order = {.grid = {1, 1, 1}, .block = {1, 1, 1}, .repeat = 1};
	CUdevice device;
	CUcontext context;
	CUmodule module;
	CUfunction kernel;
	if (!read_order(&order, argc, argv))
		return REFUSED;
	bool done = ok(cuInit(0), "cuInit") && ok(cuDeviceGet(&device, 0), "device") &&
	            ok(cuCtxCreate(&context, 0, device), "context") &&
	            ok(cuModuleLoad(&module, order.path), order.path) &&
	            find_kernel(&order, module, &kernel) && launch(&order, kernel) && show(&order);
	for (unsigned i = 0; i < order.arguments; i++)
		free(order.argument[i].host);
	return done ? 0 : 1;
}
