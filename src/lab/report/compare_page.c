/* The page of a comparison. It needs no charting library, so it is there in every build. */
#include "lab/experiment/compare.h"
#include "lab/report/page.h"

__asm__(".pushsection .rodata\n"
        ".globl compare_page\n"
        "compare_page:\n"
        ".incbin \"" SLUICE_SOURCE_DIR "/web/compare.html\"\n"
        ".byte 0\n"
        ".popsection\n");
extern const char compare_page[];

char *compare_write_page(const char *json)
{
	return page_fill(compare_page, json);
}
