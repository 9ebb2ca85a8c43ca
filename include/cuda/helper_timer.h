/* Stop watches of sample programs: host time in milliseconds. */
#ifndef COMMON_HELPER_TIMER_H_
#define COMMON_HELPER_TIMER_H_

#include <time.h>

class StopWatchInterface
{
	double begin, total;
	unsigned int sessions;
	bool is_running;

	static double now()
	{
		struct timespec t;
		clock_gettime(CLOCK_MONOTONIC, &t);
		return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
	}

      public:
	StopWatchInterface() : begin(0), total(0), sessions(0), is_running(false)
	{
	}
	virtual ~StopWatchInterface()
	{
	}
	virtual void start()
	{
		begin = now();
		is_running = true;
	}
	virtual void stop()
	{
		total += now() - begin;
		sessions++;
		is_running = false;
	}
	virtual void reset()
	{
		total = 0;
		sessions = 0;
		begin = now();
	}
	virtual float getTime()
	{
		return (float)(total + (is_running ? now() - begin : 0));
	}
	virtual float getAverageTime()
	{
		return sessions ? (float)(total / sessions) : 0.0f;
	}
};
typedef StopWatchInterface StopWatchLinux;

static inline bool sdkCreateTimer(StopWatchInterface **timer)
{
	*timer = new StopWatchInterface();
	return true;
}
static inline bool sdkDeleteTimer(StopWatchInterface **timer)
{
	delete *timer;
	*timer = NULL;
	return true;
}
static inline bool sdkStartTimer(StopWatchInterface **timer)
{
	(*timer)->start();
	return true;
}
static inline bool sdkStopTimer(StopWatchInterface **timer)
{
	(*timer)->stop();
	return true;
}
static inline bool sdkResetTimer(StopWatchInterface **timer)
{
	(*timer)->reset();
	return true;
}
static inline float sdkGetTimerValue(StopWatchInterface **timer)
{
	return (*timer)->getTime();
}
static inline float sdkGetAverageTimerValue(StopWatchInterface **timer)
{
	return (*timer)->getAverageTime();
}

#endif
