#include "cc/ir/text.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

bool ir_begins(const char *at, const char *with)
{
	return !strncmp(at, with, strlen(with));
}

bool ir_same(struct ir_span a, struct ir_span b)
{
	return a.length == b.length && !memcmp(a.text, b.text, a.length);
}

bool ir_contains(struct ir_span span, const char *words)
{
	size_t length = strlen(words);
	for (size_t i = 0; i + length <= span.length; i++)
		if (!memcmp(span.text + i, words, length))
			return true;
	return false;
}

bool ir_take(const char **at, const char *word)
{
	if (!ir_begins(*at, word))
		return false;
	*at += strlen(word);
	return true;
}

bool ir_take_number(const char **at, unsigned *number)
{
	enum { TOO_LARGE = 1000000 };
	const char *begin = *at;
	unsigned value = 0;
	while (isdigit((unsigned char)**at) && value < TOO_LARGE)
		value = value * 10 + (unsigned)(*(*at)++ - '0');
	*number = value;
	return *at != begin && value < TOO_LARGE;
}

/* Skip a name in quotes. */
static const char *skip_quoted(const char *at)
{
	at++;
	at += strcspn(at, "\"\n");
	return *at == '"' ? at + 1 : at;
}

struct ir_span ir_take_operand(const char **at)
{
	struct ir_span operand = {*at, 0};
	unsigned open = 0;
	const char *c = *at;
	while (*c && *c != '\n' && (open || !strchr(",)]}", *c))) {
		if (strchr("([{", *c))
			open++;
		else if (strchr(")]}", *c))
			open--;
		c = *c == '"' ? skip_quoted(c) : c + 1;
	}
	operand.length = (size_t)(c - *at);
	*at = c;
	return operand;
}

bool ir_is_use_order(struct ir_span line)
{
	return ir_begins(line.text + strspn(line.text, " "), "uselistorder");
}

bool ir_take_line(const char **at, struct ir_span *line)
{
	if (!**at)
		return false;
	*line = (struct ir_span){*at, strcspn(*at, "\n")};
	*at += line->length + ((*at)[line->length] == '\n');
	return true;
}

/* ---- metadata --------------------------------------------------------------------------------------------- */

static size_t count_lines(const char *text)
{
	size_t lines = 1;
	while ((text = strchr(text, '\n'))) {
		lines++;
		text++;
	}
	return lines;
}

/* Nodes are numbered from 0 on, one per line: there are fewer numbers than lines. */
void ir_metadata_read(struct ir_metadata *metadata, const char *module)
{
	metadata->count = count_lines(module);
	metadata->node = memory_zeroed(metadata->count, sizeof *metadata->node);
	struct ir_span line;
	for (const char *at = module; ir_take_line(&at, &line);) {
		const char *c = line.text;
		unsigned number;
		if (ir_take(&c, "!") && ir_take_number(&c, &number) && ir_take(&c, " = ") &&
		    number < metadata->count)
			metadata->node[number] = c;
	}
}

void ir_metadata_free(struct ir_metadata *metadata)
{
	free(metadata->node);
	*metadata = (struct ir_metadata){0};
}

const char *ir_metadata_find(const struct ir_metadata *metadata, int number)
{
	return number >= 0 && (size_t)number < metadata->count ? metadata->node[number] : NULL;
}

/* ---- instructions ------------------------------------------------------------------------------------------- */

/* name = "%" (word | quoted) */
static struct ir_span take_name(const char **at)
{
	struct ir_span name = {*at, 0};
	const char *c = *at + 1;
	if (*c == '"') {
		c += strcspn(c + 1, "\"\n") + 1;
		c += *c == '"';
	} else {
		while (isalnum((unsigned char)*c) || (*c && strchr("$._-", *c)))
			c++;
	}
	*at = c;
	name.length = (size_t)(c - name.text);
	return name;
}

/* result = "  " name " = " operation */
static bool take_result(const char **at, struct ir_span *name, const char *operation)
{
	if (!ir_take(at, "  ") || **at != '%')
		return false;
	*name = take_name(at);
	return ir_take(at, " = ") && ir_take(at, operation);
}

bool ir_read_extract(struct ir_span line, struct ir_extract *extract)
{
	const char *at = line.text;
	if (!take_result(&at, &extract->name, "extractelement ") || *at != '<')
		return false;
	extract->type = (struct ir_span){at, strcspn(at, ">\n") + 1};
	at += extract->type.length;
	if (at[-1] != '>' || !ir_take(&at, " ") || *at != '%')
		return false;
	extract->vector = take_name(&at);
	if ((!ir_take(&at, ", i64 ") && !ir_take(&at, ", i32 ")) || !ir_take_number(&at, &extract->lane))
		return false;
	extract->rest = at;
	return true;
}

bool ir_read_load(struct ir_span line, struct ir_load *load)
{
	const char *at = line.text;
	unsigned space;
	if (!take_result(&at, &load->name, "load "))
		return false;
	load->type = ir_take_operand(&at);
	if (ir_begins(load->type.text, "volatile ") || ir_begins(load->type.text, "atomic ") ||
	    !ir_take(&at, ", "))
		return false;
	load->pointer = (struct ir_span){at, 0};
	if (!ir_take(&at, "ptr") ||
	    (ir_take(&at, " addrspace(") && (!ir_take_number(&at, &space) || !ir_take(&at, ")"))))
		return false;
	load->pointer.length = (size_t)(at - load->pointer.text);
	if (!ir_take(&at, " "))
		return false;
	load->address = ir_take_operand(&at);
	if (!ir_take(&at, ", align ") || !ir_take_number(&at, &load->align))
		return false;
	load->rest = (struct ir_span){at, (size_t)(line.text + line.length - at)};
	return true;
}

bool ir_read_offset(struct ir_span line, struct ir_span *base, unsigned *offset)
{
	const char *at = line.text;
	struct ir_span name;
	unsigned space;
	if (!take_result(&at, &name, "getelementptr inbounds "))
		return false;
	ir_take(&at, "nuw ");
	if (!ir_take(&at, "i8, ptr") ||
	    (ir_take(&at, " addrspace(") && (!ir_take_number(&at, &space) || !ir_take(&at, ")"))) ||
	    !ir_take(&at, " "))
		return false;
	*base = ir_take_operand(&at);
	return *base->text == '%' && ir_take(&at, ", i64 ") && ir_take_number(&at, offset) &&
	       (at == line.text + line.length || *at == ',');
}

/* ---- types -------------------------------------------------------------------------------------------------- */

unsigned ir_element_size(struct ir_span type)
{
	static const struct {
		const char *name;
		unsigned size;
	} known[] = {{"float", 4}, {"double", 8}, {"i8", 1}, {"i16", 2}, {"i32", 4}, {"i64", 8}};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (ir_same(type, (struct ir_span){known[i].name, strlen(known[i].name)}))
			return known[i].size;
	return 0;
}

/* ---- values ------------------------------------------------------------------------------------------------- */

static uint64_t hash_name(struct ir_span name)
{
	uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
	for (size_t i = 0; i < name.length; i++)
		hash = (hash ^ (unsigned char)name.text[i]) * UINT64_C(1099511628211);
	return hash;
}

static struct ir_value *find_entry(const struct ir_function *function, struct ir_span name)
{
	size_t i = hash_name(name) & (function->value_room - 1);
	while (function->value[i].name.length && !ir_same(function->value[i].name, name))
		i = (i + 1) & (function->value_room - 1);
	return &function->value[i];
}

struct ir_value *ir_function_find(const struct ir_function *function, struct ir_span name)
{
	struct ir_value *value = find_entry(function, name);
	return value->name.length ? value : NULL;
}

static struct ir_value *add_value(struct ir_function *function, struct ir_span name)
{
	struct ir_value *value = find_entry(function, name);
	if (!value->name.length)
		*value = (struct ir_value){.name = name};
	return value;
}

/* Count every name in a line as a use, but the one that it defines. Types and labels count too, which does no harm. */
static void read_values(struct ir_function *function, unsigned number)
{
	struct ir_span line = function->line[number];
	if (ir_is_use_order(line))
		return;
	const char *end = line.text + line.length;
	for (const char *at = line.text; (at = memchr(at, '%', (size_t)(end - at)));) {
		bool is_result = at == line.text + 2;
		struct ir_value *value = add_value(function, take_name(&at));
		if (is_result && number)
			value->line = number;
		else
			value->uses++;
	}
	struct ir_extract extract;
	if (ir_read_extract(line, &extract)) {
		struct ir_value *vector = add_value(function, extract.vector);
		vector->lanes |= 1u << (extract.lane < IR_LANES ? extract.lane : IR_LANES);
		vector->extracts++;
	}
}

/* ---- the function ------------------------------------------------------------------------------------------- */

void ir_function_read(struct ir_function *function, const char **at)
{
	*function = (struct ir_function){0};
	struct ir_span line;
	unsigned room = 0;
	size_t names = 0;
	while (ir_take_line(at, &line)) {
		if (function->line_count == room)
			function->line =
			    memory_grow(function->line, room = room * 2 + 64, sizeof *function->line);
		function->line[function->line_count++] = line;
		for (size_t i = 0; i < line.length; i++)
			names += line.text[i] == '%';
		if (*line.text == '}')
			break;
	}
	function->replaced = memory_zeroed(function->line_count + 1, sizeof *function->replaced);
	function->value_room = 64;
	while (function->value_room < 2 * names)
		function->value_room *= 2;
	function->value = memory_zeroed(function->value_room, sizeof *function->value);
	for (unsigned i = 0; i < function->line_count; i++)
		read_values(function, i);
}

void ir_function_replace(struct ir_function *function, unsigned line, char *text)
{
	free(function->replaced[line]);
	function->replaced[line] = text;
	function->changed = true;
}

void ir_function_free(struct ir_function *function)
{
	for (unsigned i = 0; i < function->line_count; i++)
		free(function->replaced[i]);
	free(function->replaced);
	free(function->line);
	free(function->value);
}
