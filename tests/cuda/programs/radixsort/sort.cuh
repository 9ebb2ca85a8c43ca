#pragma once
void radix_sort(unsigned *d_keys, unsigned *d_scratch, int n);
