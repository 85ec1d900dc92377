/* Makes chosen calls on the files of a database fail. Tests preload this library into a service. CAIRN_FAULTS names a file that contains
   `struct control`. This library maps the file into memory, and the test writes to the file while the service runs. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { NONE, SYNC_FAILS, WRITE_IS_SHORT, DISK_IS_FULL, WRITE_FAILS };

struct control {
  int32_t kind;
  int32_t after;  /* number of calls that pass first */
  int32_t times;  /* number of calls that then fail, or all if negative */
  int32_t hits;   /* number of failed calls */
  char suffix[48]; /* suffix of the file name */
};

static struct control *control;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("CAIRN_FAULTS");
  int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *memory = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory != MAP_FAILED) control = memory;
  close(file);
}

/* Returns the kind of fault for this call on this file, or NONE. */
static int fails(int file, int is_sync) {
  if (!control) return NONE;
  int kind = __atomic_load_n(&control->kind, __ATOMIC_ACQUIRE);
  if (kind == NONE || (kind == SYNC_FAILS) != is_sync) return NONE;
  char link[64], name[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, name, sizeof name - 1);
  size_t suffix = strnlen(control->suffix, sizeof control->suffix);
  if (length < (ssize_t)suffix || memcmp(name + length - suffix, control->suffix, suffix) != 0) return NONE;
  if (__atomic_fetch_sub(&control->after, 1, __ATOMIC_ACQ_REL) > 0) return NONE;
  if (control->times >= 0 && __atomic_fetch_sub(&control->times, 1, __ATOMIC_ACQ_REL) <= 0) return NONE;
  __atomic_fetch_add(&control->hits, 1, __ATOMIC_ACQ_REL);
  return kind;
}

static int sync_file(int file, const char *name) {
  if (fails(file, 1)) {
    errno = EIO;
    return -1;
  }
  return ((int (*)(int))dlsym(RTLD_NEXT, name))(file);
}

int fsync(int file) { return sync_file(file, "fsync"); }
int fdatasync(int file) { return sync_file(file, "fdatasync"); }

static ssize_t put(int file, const void *bytes, size_t count, off64_t place) {
  static ssize_t (*real)(int, const void *, size_t, off64_t);
  if (!real) real = (ssize_t (*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
  switch (fails(file, 0)) {
    case WRITE_IS_SHORT:
      /* Writes the first half. The call for the rest then fails with ENOSPC. */
      __atomic_store_n(&control->kind, DISK_IS_FULL, __ATOMIC_RELEASE);
      return real(file, bytes, count / 2, place);
    case DISK_IS_FULL: errno = ENOSPC; return -1;
    case WRITE_FAILS: errno = EIO; return -1;
    default: return real(file, bytes, count, place);
  }
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t place) { return put(file, bytes, count, place); }
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t place) { return put(file, bytes, count, place); }
