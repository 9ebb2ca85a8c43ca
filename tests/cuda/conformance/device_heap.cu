/* malloc and free in kernels: linked lists, memory that lives on to the next launch, new and delete, null when full. */
#include "check.h"

enum { N = 64 };

struct node {
	int value;
	struct node *next;
};

__device__ struct node *kept[N];
__device__ void *volatile observed; /* or the compiler would drop a malloc whose result is not used */

__global__ void build(void)
{
	int i = threadIdx.x;
	struct node *list = NULL;
	for (int k = 0; k < i % 5 + 1; k++) {
		struct node *n = (struct node *)malloc(sizeof *n);
		n->value = i * 10 + k;
		n->next = list;
		list = n;
	}
	kept[i] = list;
}

__global__ void sum_and_free(int *out)
{
	int i = threadIdx.x, sum = 0;
	for (struct node *n = kept[i]; n;) {
		struct node *next = n->next;
		sum += n->value;
		free(n);
		n = next;
	}
	out[i] = sum;
}

__global__ void objects(int *out)
{
	int i = threadIdx.x;
	int *a = new int[i + 1];
	for (int k = 0; k <= i; k++)
		a[k] = k * k;
	struct node *n = new struct node;
	n->value = a[i];
	out[i] = n->value + a[i / 2];
	delete n;
	delete[] a;
}

__global__ void greedy(int *out)
{
	observed = malloc((size_t)1 << 44);
	out[0] = observed == NULL;
	char *p = (char *)malloc(100);
	observed = p;
	out[1] = p != NULL && ((size_t)p & 15) == 0;
	free(p);
	free(NULL);
}

int main(void)
{
	static int want[N];
	CUDA(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 8 << 20));
	for (int i = 0; i < N; i++)
		for (int k = 0; k < i % 5 + 1; k++)
			want[i] += i * 10 + k;
	build<<<1, N>>>();
	check_run("lists on the device heap", want, [&](int *out) { sum_and_free<<<1, N>>>(out); });

	for (int i = 0; i < N; i++)
		want[i] = i * i + i / 2 * (i / 2);
	check_run("new and delete", want, [&](int *out) { objects<<<1, N>>>(out); });

	want[0] = want[1] = 1;
	check_run(
	    "malloc that cannot succeed, alignment, free(NULL)", want,
	    [&](int *out) { greedy<<<1, 1>>>(out); }, 2);
	return check_finish("device_heap");
}
