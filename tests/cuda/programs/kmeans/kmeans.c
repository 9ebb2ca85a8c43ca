/* k-means: the device assigns points, the host moves the centers; checked against the same loop on the host. */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kmeans.h"

static int nearest(const float *point, const float *centers, const struct options *o)
{
	int best = 0;
	float least = FLT_MAX;
	for (int k = 0; k < o->clusters; k++) {
		float distance = 0;
		for (int f = 0; f < o->features; f++)
			distance += (point[f] - centers[k * o->features + f]) *
			            (point[f] - centers[k * o->features + f]);
		if (distance < least) {
			least = distance;
			best = k;
		}
	}
	return best;
}

static void move_centers(const float *points, const int *membership, float *centers, const struct options *o)
{
	int count[MAX_CLUSTERS] = {0};
	memset(centers, 0, sizeof *centers * (size_t)(o->clusters * o->features));
	for (int i = 0; i < o->points; i++) {
		count[membership[i]]++;
		for (int f = 0; f < o->features; f++)
			centers[membership[i] * o->features + f] += points[i * o->features + f];
	}
	for (int k = 0; k < o->clusters; k++)
		for (int f = 0; f < o->features; f++)
			if (count[k])
				centers[k * o->features + f] /= (float)count[k];
}

int main(int argc, char **argv)
{
	struct options o = {1000, 4, 5, 4};
	if (parse_options(argc, argv, &o))
		return 2;
	float *points = malloc(sizeof *points * (size_t)(o.points * o.features)),
	      centers[MAX_CLUSTERS * MAX_FEATURES];
	int *membership = malloc(sizeof *membership * (size_t)o.points), wrong = 0;
	/* Small integers: distances are exact, and both sides agree on ties. */
	for (int i = 0; i < o.points * o.features; i++)
		points[i] = (float)((i * 7919 + i / 13) % 64);
	memcpy(centers, points, sizeof *centers * (size_t)(o.clusters * o.features));
	cluster_setup(points, &o);
	for (int t = 0; t < o.iterations; t++) {
		for (int i = 0; i < o.clusters * o.features; i++)
			centers[i] = (float)(int)(centers[i] + 0.5f);
		int changed = cluster_assign(centers, membership, &o);
		fprintf(stderr, "iteration %d: %d points moved\n", t, changed);
		for (int i = 0; i < o.points; i++)
			wrong += membership[i] != nearest(points + i * o.features, centers, &o);
		move_centers(points, membership, centers, &o);
	}
	cluster_finish();
	printf("kmeans %s\n", wrong ? "FAIL" : "PASS");
	return wrong != 0;
}
