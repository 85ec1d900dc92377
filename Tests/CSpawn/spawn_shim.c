#define _GNU_SOURCE
#include "spawn_shim.h"
#include <fcntl.h>
#include <unistd.h>

int cairn_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

int cairn_spawn_change_folder(posix_spawn_file_actions_t *actions, const char *folder) {
  return posix_spawn_file_actions_addchdir_np(actions, folder);
}

int cairn_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }
