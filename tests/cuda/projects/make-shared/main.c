#include <stdio.h>

int histogram(const unsigned char *text, int length, unsigned *bins);

int main(void)
{
	static const unsigned char text[] = "any ordinary project builds";
	unsigned bins[256];
	int right =
	    histogram(text, sizeof text - 1, bins) == 0 && bins['r'] == 3 && bins[' '] == 3 && bins['z'] == 0;
	printf("make-shared %s\n", right ? "PASS" : "FAIL");
	return !right;
}
