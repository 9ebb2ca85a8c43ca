/* Bars for the terminal. */
#include "report/bars.h"

#include <math.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { DEFAULT_COLUMNS = 80, MIN_BAR = 10, MAX_BAR = 100, MAX_LABEL = 40 };

int bars_columns(FILE *out)
{
	struct winsize size;
	if (!isatty(fileno(out)) || ioctl(fileno(out), TIOCGWINSZ, &size) || !size.ws_col)
		return DEFAULT_COLUMNS;
	return size.ws_col;
}

/* What all lines have in common. */
struct layout {
	int label, text, bar; /* widths */
	double largest;
};

static int widest(int width, const char *text, int most)
{
	int length = (int)strlen(text);
	length = length < most ? length : most;
	return length > width ? length : width;
}

static struct layout lay_out(const struct bar *bars, size_t count, int columns)
{
	struct layout l = {0};
	int mark = 0;
	for (size_t i = 0; i < count; i++) {
		l.label = widest(l.label, bars[i].label, MAX_LABEL);
		l.text = widest(l.text, bars[i].text, (int)sizeof bars[i].text);
		mark = widest(mark, bars[i].mark ? bars[i].mark : "", MAX_LABEL);
		if (bars[i].value > l.largest)
			l.largest = bars[i].value;
	}
	l.bar = columns - 1 - 2 - l.label - 2 - l.text - 2 - (mark ? mark + 1 : 0);
	l.bar = l.bar < MIN_BAR ? MIN_BAR : l.bar > MAX_BAR ? MAX_BAR : l.bar;
	return l;
}

static void print_bar(FILE *out, const struct bar *bar, const struct layout *l)
{
	char line[MAX_BAR + 1];
	double share = l->largest > 0 && bar->value > 0 ? bar->value / l->largest : 0;
	int length = (int)lround(share * l->bar);
	memset(line, '#', (size_t)length);
	line[length] = '\0';
	fprintf(out, "  %-*.*s  %*s", l->label, l->label, bar->label, l->text, bar->text);
	fprintf(out, "%s%s%s%s\n", length ? "  " : "", line, bar->mark ? " " : "",
	        bar->mark ? bar->mark : "");
}

void bars_print(FILE *out, const struct bar *bars, size_t count)
{
	struct layout l = lay_out(bars, count, bars_columns(out));
	for (size_t i = 0; i < count; i++)
		print_bar(out, &bars[i], &l);
}
