/* Names and sizes of the words of PTX. */
#include "ptx/isa.h"

#define X(name, bits) bits,
static const uint8_t type_bits[] = {PTX_TYPES(X)};
#undef X
#define X(name, bits) #name,
static const char *const type_names[] = {PTX_TYPES(X)};
#undef X
#define X(name) #name,
static const char *const op_names[] = {PTX_OPS(X)};
static const char *const space_names[] = {PTX_SPACES(X)};
#undef X
#define X(name, spelling) spelling,
static const char *const sreg_names[] = {PTX_SREGS(X)};
static const char *const mode_names[] = {PTX_MODES(X)};
#undef X

unsigned ptx_type_bits(enum ptx_type type)
{
	unsigned bits = type_bits[type];
	return type == PTX_TYPE_pred ? 32 : bits == 8 ? 16 : bits;
}

unsigned ptx_type_bytes(enum ptx_type type)
{
	return (type_bits[type] + 7u) / 8u;
}

const char *ptx_type_name(enum ptx_type type)
{
	return type_names[type];
}

const char *ptx_op_name(enum ptx_op op)
{
	return op_names[op];
}

const char *ptx_sreg_name(enum ptx_sreg sreg)
{
	return sreg_names[sreg];
}

const char *ptx_space_name(enum ptx_space space)
{
	return space_names[space];
}

const char *ptx_mode_name(enum ptx_mode mode)
{
	return mode_names[mode];
}
