#ifndef REDUCTION_H
#define REDUCTION_H
template <class T> void reduce_on_device(int size, int threads, int blocks, T *d_idata, T *d_odata);
#endif
