#ifndef SLUICE_PROCESSES_H
#define SLUICE_PROCESSES_H
#include <spawn.h>

// GNU functions that Swift cannot see, for tests that start programs. No state.

// The side of a new terminal that a program does not see, or -1; the other is /dev/pts/`number`.
int sluice_open_pseudoterminal(int *number);
// Two ends that no other process inherits.
int sluice_pipe(int *reader, int *writer);
// A session of its own, with no signal blocked or ignored, scheduled as the main thread is.
int sluice_spawn_afresh(posix_spawnattr_t *attributes);
// With none but the three that every program has.
int sluice_spawn_without_descriptors(posix_spawn_file_actions_t *actions);
int sluice_spawn_in_directory(posix_spawn_file_actions_t *actions, const char *path);

#endif
