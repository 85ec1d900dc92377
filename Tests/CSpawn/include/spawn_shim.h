#pragma once
#include <spawn.h>

// GNU extensions that the Glibc module of Swift does not export.

/// Closes every descriptor from `first` upwards in the child.
int cairn_spawn_close_from(posix_spawn_file_actions_t *actions, int first);
/// Starts the child in a folder.
int cairn_spawn_change_folder(posix_spawn_file_actions_t *actions, const char *folder);
/// Creates a pipe whose ends have the flag close-on-exec.
int cairn_pipe(int ends[2]);
