/* Device printf. Every conversion is parsed, checked, and printed with a format that is built here. */
#include <stdio.h>
#include <string.h>

#include "cuda/executor/access.h"
#include "cuda/executor/handlers.h"

enum { WIDTH_MAX = 4096 };

struct printer {
	struct run *run;
	const struct warp *w;
	unsigned lane;
	uint64_t args;
	bool is_broken; /* the argument buffer is not there */
	char text[WIDTH_MAX + 512];
	size_t used;
	int count;
};

static void flush(struct printer *p)
{
	const struct exec_options *o = &p->run->exec->options;
	if (p->used && o->print)
		o->print(o->user, p->text, p->used);
	else if (p->used)
		fwrite(p->text, 1, p->used, stdout);
	p->used = 0;
}

static void put(struct printer *p, const char *text, size_t n)
{
	while (n) {
		if (p->used == sizeof p->text)
			flush(p);
		size_t room = sizeof p->text - p->used, part = n < room ? n : room;
		memcpy(p->text + p->used, text, part);
		p->used += part;
		text += part;
		n -= part;
	}
}

/* The next argument: arguments lie one after the other, each aligned to its size. */
static uint64_t next_argument(struct printer *p, unsigned bytes)
{
	uint64_t value = 0;
	p->args = (p->args + bytes - 1) / bytes * bytes;
	const uint8_t *at = access_guest(p->run, p->w, p->lane, p->args, bytes);
	if (at)
		memcpy(&value, at, bytes);
	else
		p->is_broken = true;
	p->args += bytes;
	return value;
}

/* ---- one conversion ----------------------------------------------------------------------------------- */

struct conversion {
	char flags[8];
	int width, precision; /* -1: none */
	unsigned bytes;       /* of an integer argument */
	char length[3];       /* "hh", "h" or nothing */
	char kind;
};

static int number_or_star(struct printer *p, const char **f, const char *end)
{
	int n = 0;
	if (*f < end && **f == '*') {
		(*f)++;
		n = (int)next_argument(p, 4);
		return n > WIDTH_MAX ? WIDTH_MAX : n < -WIDTH_MAX ? -WIDTH_MAX : n;
	}
	for (; *f < end && **f >= '0' && **f <= '9'; (*f)++)
		n = n < WIDTH_MAX ? 10 * n + (**f - '0') : n;
	return n > WIDTH_MAX ? WIDTH_MAX : n;
}

static void parse_length(struct conversion *c, const char **f, const char *end)
{
	c->bytes = 4;
	for (; *f < end && **f && strchr("hlLqjzt", **f); (*f)++) {
		if (**f == 'h' && strlen(c->length) < 2)
			strcat(c->length, "h");
		else if (**f != 'h')
			c->bytes = 8;
	}
}

/* From behind the '%'; false: the text ends in the middle. */
static bool parse_conversion(struct printer *p, const char **f, const char *end, struct conversion *c)
{
	*c = (struct conversion){.width = 0, .precision = -1};
	for (; *f < end && **f && strchr("-+ #0", **f); (*f)++) {
		size_t n = strlen(c->flags);
		if (!strchr(c->flags, **f) && n < 5)
			c->flags[n] = **f;
	}
	c->width = number_or_star(p, f, end);
	if (c->width < 0) {
		c->width = -c->width;
		strcat(c->flags, "-");
	}
	if (*f < end && **f == '.') {
		(*f)++;
		c->precision = number_or_star(p, f, end);
	}
	parse_length(c, f, end);
	if (*f == end)
		return false;
	c->kind = *(*f)++;
	return true;
}

/* "%", flags, width, precision, length, kind: all of them checked, so this format is ours. */
static void print_number(struct printer *p, const struct conversion *c, uint64_t value, bool is_float)
{
	char format[48], precision[16] = "", text[WIDTH_MAX + 400];
	int n;
	if (c->precision >= 0)
		snprintf(precision, sizeof precision, ".%d", c->precision);
	snprintf(format, sizeof format, "%%%s%.0d%s%s%c", c->flags, c->width, precision,
	         is_float        ? ""
	         : c->bytes == 8 ? "ll"
	                         : c->length,
	         c->kind);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	if (is_float) {
		double d;
		memcpy(&d, &value, sizeof d);
		n = snprintf(text, sizeof text, format, d);
	} else if (c->bytes == 8) {
		n = snprintf(text, sizeof text, format, (long long)value);
	} else {
		n = snprintf(text, sizeof text, format, (int)value);
	}
#pragma GCC diagnostic pop
	if (n > 0)
		put(p, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

static void put_padded(struct printer *p, const struct conversion *c, const char *text, size_t n)
{
	size_t pad = (size_t)c->width > n ? (size_t)c->width - n : 0;
	bool left = strchr(c->flags, '-') != NULL;
	for (size_t i = 0; !left && i < pad; i++)
		put(p, " ", 1);
	put(p, text, n);
	for (size_t i = 0; left && i < pad; i++)
		put(p, " ", 1);
}

static size_t guest_length(struct run *run, const struct warp *w, unsigned lane, uint64_t address,
                           const char **text)
{
	uint8_t *host;
	uint64_t reach = address ? access_guest_reach(run, w, lane, address, &host) : 0;
	if (!reach) {
		*text = address ? "(bad pointer)" : "(null)";
		return strlen(*text);
	}
	*text = (const char *)host;
	return strnlen(*text, reach);
}

static void print_conversion(struct printer *p, const struct conversion *c)
{
	const char *text;
	size_t n;
	char one;
	bool is_float = c->kind && strchr("eEfFgGaA", c->kind);
	if (is_float || (c->kind && strchr("diuxXo", c->kind))) {
		print_number(p, c, next_argument(p, is_float ? 8 : c->bytes), is_float);
		p->count++;
		return;
	}
	switch (c->kind) {
	case 'c':
		one = (char)next_argument(p, 4);
		put_padded(p, c, &one, 1);
		break;
	case 's':
		n = guest_length(p->run, p->w, p->lane, next_argument(p, 8), &text);
		put_padded(p, c, text,
		           c->precision >= 0 && (size_t)c->precision < n ? (size_t)c->precision : n);
		break;
	case 'p': {
		struct conversion hex = *c;
		hex.kind = 'x';
		hex.bytes = 8;
		strcpy(hex.flags, strchr(c->flags, '-') ? "#-" : "#");
		print_number(p, &hex, next_argument(p, 8), false);
		break;
	}
	case 'n': /* takes a pointer and writes nothing */
		next_argument(p, 8);
		break;
	case '%':
		put(p, "%", 1);
		return;
	default: /* unknown: shown as it is, nothing is taken */
		put(p, "%", 1);
		put(p, &c->kind, 1);
		return;
	}
	p->count++;
}

int print_lane(struct run *run, const struct warp *w, unsigned lane, uint64_t format, uint64_t args)
{
	struct printer p = {.run = run, .w = w, .lane = lane, .args = args};
	uint8_t *host;
	uint64_t reach = access_guest_reach(run, w, lane, format, &host);
	if (!format || !reach)
		return -1;
	const char *f = (const char *)host, *end = f + strnlen(f, reach);
	while (f < end && !p.is_broken) {
		const char *percent = memchr(f, '%', (size_t)(end - f));
		put(&p, f, (size_t)((percent ? percent : end) - f));
		if (!percent)
			break;
		struct conversion c;
		f = percent + 1;
		if (!parse_conversion(&p, &f, end, &c))
			break;
		print_conversion(&p, &c);
	}
	flush(&p);
	return p.is_broken ? -1 : p.count;
}

void print_guest_string(struct run *run, const struct warp *w, unsigned lane, uint64_t address, char *buf,
                        size_t size)
{
	const char *text;
	size_t n = guest_length(run, w, lane, address, &text);
	snprintf(buf, size, "%.*s", (int)(n < size ? n : size - 1), text);
}
