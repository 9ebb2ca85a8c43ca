/* The header of a kernel file: "-key = value" lines up to the first line that begins with '#'. */
#include <stdlib.h>
#include <string.h>

#include "accelsim/import.h"
#include "trace/format.h"

enum header_key {
	KEY_GRID = 1u << 0,
	KEY_BLOCK = 1u << 1,
	KEY_SHARED = 1u << 2,
	KEY_REGISTERS = 1u << 3,
	KEY_BINARY = 1u << 4,
	KEY_TRACER = 1u << 5,
	KEY_NEEDED = (1u << 6) - 1,
};

static bool read_u32(struct kernel_file *f, char *p, uint32_t *value, struct error *err)
{
	uint64_t v;
	if (!text_take_unsigned(&p, &v) || v > UINT32_MAX)
		return text_error(&f->text, p, err, "expected a number below 2^32");
	*value = (uint32_t)v;
	return true;
}

static bool read_dim(struct kernel_file *f, char *p, struct trace_dim *dim, struct error *err)
{
	uint64_t v[3];
	bool ok = text_take_char(&p, '(');
	for (int i = 0; i < 3 && ok; i++)
		ok = (i == 0 || text_take_char(&p, ',')) && text_take_unsigned(&p, &v[i]) &&
		     v[i] <= UINT32_MAX;
	if (!ok || !text_take_char(&p, ')'))
		return text_error(&f->text, p, err, "expected three numbers such as (16,1,1)");
	*dim = (struct trace_dim){(uint32_t)v[0], (uint32_t)v[1], (uint32_t)v[2]};
	return true;
}

static bool read_address(struct kernel_file *f, char *p, uint64_t *value, struct error *err)
{
	text_skip_blanks(&p);
	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
		p += 2;
	if (!text_take_hex(&p, value))
		return text_error(&f->text, p, err, "expected a hexadecimal address");
	return true;
}

static bool read_name(struct kernel_file *f, char *p, struct error *err)
{
	text_skip_blanks(&p);
	free(f->name);
	f->name = strdup(p);
	f->kernel.name = f->name;
	return f->name || error_set(err, "out of memory");
}

/* "1.2" counts as 1. */
static bool read_version(struct kernel_file *f, char *p, struct error *err)
{
	text_skip_blanks(&p);
	if (!text_take_unsigned(&p, &f->tracer_version))
		return text_error(&f->text, p, err, "expected the number of a tracer version");
	if (f->tracer_version > 5)
		return text_error(&f->text, p, err, "tracer version %llu, expected at most 5",
		                  (unsigned long long)f->tracer_version);
	return true;
}

static bool read_flag(struct kernel_file *f, char *p, bool *flag, struct error *err)
{
	uint32_t v = 0;
	if (!read_u32(f, p, &v, err))
		return false;
	*flag = v != 0;
	return true;
}

static bool read_value(struct kernel_file *f, const char *key, char *value, unsigned *seen, struct error *err)
{
	struct trace_kernel *k = &f->kernel;
	if (!strcmp(key, "kernel name"))
		return read_name(f, value, err);
	if (!strcmp(key, "kernel id"))
		return read_u32(f, value, &k->id, err);
	if (!strcmp(key, "cuda stream id"))
		return read_u32(f, value, &k->stream, err);
	if (!strcmp(key, "shmem base_addr"))
		return read_address(f, value, &k->shared_window, err);
	if (!strcmp(key, "local mem base_addr"))
		return read_address(f, value, &k->local_window, err);
	if (!strcmp(key, "enable lineinfo"))
		return read_flag(f, value, &f->line_numbers, err);
	if (!strcmp(key, "grid dim"))
		return *seen |= KEY_GRID, read_dim(f, value, &k->grid, err);
	if (!strcmp(key, "block dim"))
		return *seen |= KEY_BLOCK, read_dim(f, value, &k->block, err);
	if (!strcmp(key, "shmem"))
		return *seen |= KEY_SHARED, read_u32(f, value, &k->shared_bytes, err);
	if (!strcmp(key, "nregs"))
		return *seen |= KEY_REGISTERS, read_u32(f, value, &k->registers_per_thread, err);
	if (!strcmp(key, "binary version"))
		return *seen |= KEY_BINARY, read_u32(f, value, &k->binary_version, err);
	if (!strcmp(key, "accelsim tracer version"))
		return *seen |= KEY_TRACER, read_version(f, value, err);
	return true; /* keys of other tools are none of our business */
}

static bool read_line(struct kernel_file *f, unsigned *seen, struct error *err)
{
	char *key = f->text.line + 1, *equals = strchr(key, '=');
	if (f->text.line[0] != '-')
		return text_error(
		    &f->text, f->text.line, err,
		    "expected a header line such as '-grid dim = (1,1,1)', or a '#' line that ends it");
	if (strlen(f->text.line) != (size_t)(f->text.line_end - f->text.line))
		return text_error(&f->text, f->text.line, err, "a NUL byte in a text file");
	if (!equals)
		return text_error(&f->text, f->text.line_end, err, "expected '= value'");
	char *end = equals;
	while (end > key && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	text_skip_blanks(&key);
	char saved = *end;
	*end = '\0';
	/* The value is parsed in place; a '=' right behind the key has served its purpose. */
	bool ok = read_value(f, key < end ? key : end, equals + 1, seen, err);
	*end = saved;
	return ok;
}

static bool check_header(struct kernel_file *f, unsigned seen, struct error *err)
{
	static const char *const names[] = {"grid dim", "block dim",      "shmem",
	                                    "nregs",    "binary version", "accelsim tracer version"};
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		if (!(seen & 1u << i))
			return text_error(&f->text, NULL, err,
			                  "the header ends here but has no '-%s = ...' line", names[i]);
	struct trace_kernel *k = &f->kernel;
	k->warp_size = 32;
	k->cta_count = (uint64_t)k->grid.x * k->grid.y * k->grid.z;
	uint64_t threads = (uint64_t)k->block.x * k->block.y;
	threads = threads > UINT32_MAX ? UINT32_MAX : threads * k->block.z;
	k->warps_per_cta = threads > UINT32_MAX - 32 ? UINT32_MAX / 32 : (uint32_t)((threads + 31) / 32);
	const char *what = format_check_kernel(k);
	if (what)
		return text_error(&f->text, NULL, err, "%s: grid (%u,%u,%u), block (%u,%u,%u)", what,
		                  k->grid.x, k->grid.y, k->grid.z, k->block.x, k->block.y, k->block.z);
	return true;
}

bool accelsim_read_header(struct kernel_file *f, struct error *err)
{
	unsigned seen = 0;
	enum text_result r;
	while ((r = text_next(&f->text, err)) == TEXT_LINE) {
		char *p = f->text.line;
		text_skip_blanks(&p);
		if (!*p && p == f->text.line_end)
			continue;
		if (f->text.line[0] == '#')
			return check_header(f, seen, err);
		if (!read_line(f, &seen, err))
			return false;
	}
	if (r == TEXT_END)
		text_error(&f->text, NULL, err, "the file ends inside the header: expected a '#' line");
	return false;
}
