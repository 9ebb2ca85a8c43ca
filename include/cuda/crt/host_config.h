/* Programs include this to find the host compiler checked; there is nothing to check. */
#ifndef __HOST_CONFIG_H__
#define __HOST_CONFIG_H__
#endif
