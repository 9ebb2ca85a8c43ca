#include "trace/insn.h"

static const char *const op_names[] = {
#define X(NAME, name, doc) name,
    OP_CLASSES(X)
#undef X
};

static const char *const op_docs[] = {
#define X(NAME, name, doc) doc,
    OP_CLASSES(X)
#undef X
};

static const char *const space_names[] = {
#define X(NAME, name) name,
    MEM_SPACES(X)
#undef X
};

const char *op_class_name(enum op_class op)
{
	return op < OP_COUNT ? op_names[op] : "?";
}

const char *op_class_doc(enum op_class op)
{
	return op < OP_COUNT ? op_docs[op] : "?";
}

const char *mem_space_name(enum mem_space space)
{
	return space < SPACE_COUNT ? space_names[space] : "?";
}
