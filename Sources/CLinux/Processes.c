#define _GNU_SOURCE
#include "Processes.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

int sluice_open_pseudoterminal(int *number) {
    int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (terminal < 0) return -1;
    if (grantpt(terminal) == 0 && unlockpt(terminal) == 0 && ioctl(terminal, TIOCGPTN, number) == 0) return terminal;
    close(terminal);
    return -1;
}

int sluice_pipe(int *reader, int *writer) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    *reader = ends[0];
    *writer = ends[1];
    return 0;
}

int sluice_spawn_afresh(posix_spawnattr_t *attributes) {
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(attributes, &all);
    posix_spawnattr_setsigmask(attributes, &none);
    short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID;
    // As the main thread has it, which is how the program was started, where this one takes turns: that is inherited. Not
    // else, since a system may forbid the call.
    if (sched_getscheduler(0) == SCHED_BATCH && sched_getscheduler(getpid()) == SCHED_OTHER) {
        const struct sched_param none = {0};
        posix_spawnattr_setschedpolicy(attributes, SCHED_OTHER);
        posix_spawnattr_setschedparam(attributes, &none);
        flags |= POSIX_SPAWN_SETSCHEDULER;
    }
    return posix_spawnattr_setflags(attributes, flags);
}

int sluice_spawn_without_descriptors(posix_spawn_file_actions_t *actions) {
    return posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
}

int sluice_spawn_in_directory(posix_spawn_file_actions_t *actions, const char *path) {
    return posix_spawn_file_actions_addchdir_np(actions, path);
}
