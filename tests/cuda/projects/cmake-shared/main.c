#include "filter.h"
#include <stdio.h>

int main(void)
{
	float v[100];
	int right;
	for (int i = 0; i < 100; i++)
		v[i] = 3.0f * (float)i;
	right = blur(v, 100) == 0 && v[0] == 1.0f && v[50] == 150.0f && v[33] == 99.0f;
	printf("cmake-shared %s\n", right ? "PASS" : "FAIL");
	return !right;
}
