/* Preloaded into a program, moves its wall clock by the seconds that a file of two numbers says: the store's, and everybody
   else's. Monotonic clocks run on. Made and used by clocks.py alone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>

static volatile int64_t *shifts;
static int (*real)(clockid_t, struct timespec *);

__attribute__((constructor)) static void begin(void) {
  void *map = mmap(0, 2 * sizeof *shifts, PROT_READ, MAP_SHARED, open(getenv("TWOSEAT_SHIFTS"), O_RDONLY), 0);
  if (map != MAP_FAILED) shifts = map;
}

int clock_gettime(clockid_t id, struct timespec *at) {
  if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(id, at);
  if (shifts && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE))
    at->tv_sec += shifts[strstr(program_invocation_short_name, "valkey-server") ? 0 : 1];
  return result;
}

int gettimeofday(struct timeval *at, void *zone) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  at->tv_sec = now.tv_sec;
  at->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *at) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (at) *at = now.tv_sec;
  return now.tv_sec;
}
