# What the makefiles here have in common, as in many suites: compilers, flags, and how to make objects.
NVCC ?= nvcc
CC ?= gcc
SM ?= 80
GENCODE = -gencode arch=compute_$(SM),code=sm_$(SM)
NVCCFLAGS += -O3 $(GENCODE) -I../common
CFLAGS += -O2 -Wall -I../common
LDFLAGS += -lm

%.o: %.cu
	$(NVCC) $(NVCCFLAGS) -c $< -o $@

%.o: %.c
	$(CC) $(CFLAGS) -c $< -o $@

$(PROGRAM): $(OBJECTS)
	$(NVCC) $(GENCODE) -o $@ $(OBJECTS) $(LDFLAGS)

.PHONY: clean
clean:
	rm -f $(PROGRAM) *.o
