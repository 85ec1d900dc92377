#pragma once
#include <spawn.h>

// GNU extensions that Swift's Glibc module does not show.

/// Closes every descriptor from `first` on in the child.
int cairn_spawn_close_from(posix_spawn_file_actions_t *actions, int first);
/// Starts the child in a folder.
int cairn_spawn_change_folder(posix_spawn_file_actions_t *actions, const char *folder);
/// Makes a pipe whose ends no executed program inherits.
int cairn_pipe(int ends[2]);
