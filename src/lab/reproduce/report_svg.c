/* Charts as SVG. */
#include "lab/reproduce/report.h"

bool reproduction_svg(const json_t *report, const char *folder, struct error *err)
{
	(void)report;
	return error_set(err, "%s: drawing is not there yet", folder);
}
