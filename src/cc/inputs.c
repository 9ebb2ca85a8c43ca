/* The files that a command line of the compiler driver names: their languages, and whether they can be compiled. */
#include <string.h>
#include <unistd.h>

#include "base/read_files.h"
#include "cc/job.h"

static const struct {
	const char *ending;
	enum cc_language language;
} endings[] = {{".cu", CC_CUDA}, {".c", CC_C},   {".cpp", CC_CXX}, {".cc", CC_CXX},
               {".cxx", CC_CXX}, {".C", CC_CXX}, {".c++", CC_CXX}, {".CPP", CC_CXX}};
static const char *const linkable[] = {".o", ".a", ".so", ".obj", ".lo"};

enum cc_language cc_language_of(const struct cc_item *item)
{
	if (item->language != CC_BY_NAME)
		return item->language;
	const char *dot = strrchr(item->text, '.');
	for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
		if (!strcmp(dot, endings[i].ending))
			return endings[i].language;
	return CC_BY_NAME;
}

static bool is_linkable(const char *name)
{
	const char *dot = strrchr(name, '.');
	for (size_t i = 0; dot && i < sizeof linkable / sizeof *linkable; i++)
		if (!strcmp(dot, linkable[i]))
			return true;
	return strstr(name, ".so.") != NULL;
}

bool cc_is_source(const struct cc_item *item)
{
	return cc_language_of(item) != CC_BY_NAME && !is_linkable(item->text);
}

bool cc_check_inputs(const struct cc_order *order, struct error *err)
{
	size_t sources = 0;
	for (size_t i = 0; i < order->item_count; i++) {
		const struct cc_item *item = &order->items[i];
		if (!item->is_input)
			continue;
		if (!cc_is_source(item) && !is_linkable(item->text))
			return error_set(
			    err, "%s: expected a file that ends in .cu, .c, .cpp, .cc, .cxx, .o, .a or .so",
			    item->text);
		if (access(item->text, R_OK) != 0 && !order->dry_run)
			return error_set(err, "%s: cannot be read", item->text);
		sources += cc_is_source(item);
		read_files_note_path(item->text);
	}
	if (!cc_check_outputs(order, err))
		return false;
	if (order->precompile)
		return !order->input_count ||
		       error_set(err, "--precompile takes options and no files, but there is %s",
		                 order->items[0].text);
	if (!order->input_count)
		return error_set(err, "no input files; see 'sluice cc --help'");
	bool is_each = order->stage == CC_OBJECT || order->stage == CC_PTX;
	if (is_each && order->output && sources > 1)
		return error_set(err, "-o %s: %zu files cannot become one without linking", order->output,
		                 sources);
	return true;
}
