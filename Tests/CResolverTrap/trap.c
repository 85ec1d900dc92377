// A resolver that never returns for some names. The dynamic linker finds this getaddrinfo before that of the C library.
#define _GNU_SOURCE
#include "trap.h"
#include <dlfcn.h>
#include <netdb.h>
#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t began = PTHREAD_COND_INITIALIZER;
static int lookups;

typedef int (*lookup)(const char *, const char *, const struct addrinfo *, struct addrinfo **);

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
  static const char suffix[] = ".stalled.invalid";
  size_t length = name ? strlen(name) : 0;
  if (length >= sizeof suffix - 1 && !strcmp(name + length - (sizeof suffix - 1), suffix)) {
    pthread_mutex_lock(&mutex);
    lookups++;
    pthread_cond_broadcast(&began);
    pthread_mutex_unlock(&mutex);
    for (;;) pause();
  }
  lookup next = (lookup)dlsym(RTLD_NEXT, "getaddrinfo");
  return next ? next(name, service, hints, result) : EAI_FAIL;
}

int cairn_await_stalled_lookup(int seconds) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += seconds;
  pthread_mutex_lock(&mutex);
  int code = 0;
  while (!lookups && !code) code = pthread_cond_timedwait(&began, &mutex, &until);
  pthread_mutex_unlock(&mutex);
  return !code;
}
