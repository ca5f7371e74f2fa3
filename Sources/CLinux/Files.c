#define _GNU_SOURCE
#include "CLinux.h"
#include <errno.h>
#include <sched.h>
#include <stdio.h>

void sluice_block_signals(void) {
    sigset_t signals;
    sigfillset(&signals);
    const int crashes[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
    for (unsigned i = 0; i < sizeof crashes / sizeof crashes[0]; i++) sigdelset(&signals, crashes[i]);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
}

void sluice_take_turns(void) {
    if (sched_getscheduler(0) != SCHED_OTHER) return;
    const struct sched_param none = {0};
    sched_setscheduler(0, SCHED_BATCH, &none);
}

int sluice_rename_new(int folder, const char *from, const char *to) {
    return renameat2(folder, from, folder, to, RENAME_NOREPLACE);
}

int sluice_open_unnamed(int folder) { return openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666); }

int sluice_name(int file, int folder, const char *name) {
    if (linkat(file, "", folder, name, AT_EMPTY_PATH) == 0) return 0;
    if (errno != ENOENT) return -1;
    // Systems that allow that to the privileged only lead through /proc.
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return linkat(AT_FDCWD, path, folder, name, AT_SYMLINK_FOLLOW);
}

ssize_t sluice_copy_range(int from, int to, size_t count) {
    return copy_file_range(from, NULL, to, NULL, count, 0);
}

static int closed_at_start;

void sluice_open_standard_descriptors(void) {
    for (int file = 0; file < 3; file++) {
        if (fcntl(file, F_GETFD) >= 0 || errno != EBADF) continue;
        closed_at_start |= 1 << file;
        if (open("/dev/null", O_RDWR) < 0) return;
    }
}

int sluice_was_closed(int file) { return closed_at_start >> file & 1; }

int sluice_duplicate(int file) { return fcntl(file, F_DUPFD_CLOEXEC, 0); }

int sluice_describe_file(int folder, const char *name, struct sluice_file *file) {
    struct statx status;
    int flags = AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW;
    if (statx(folder, name, flags, STATX_BASIC_STATS | STATX_BTIME, &status) != 0) return -1;
    file->is_plain = S_ISREG(status.stx_mode);
    file->size = (int64_t)status.stx_size;
    file->seconds = status.stx_mtime.tv_sec;
    file->nanoseconds = status.stx_mtime.tv_nsec;
    file->inode = status.stx_ino;
    bool has_birth = status.stx_mask & STATX_BTIME;
    file->born = has_birth ? (int64_t)status.stx_btime.tv_sec * 1000000000 + status.stx_btime.tv_nsec : 0;
    return 0;
}

int64_t sluice_birth_time(int file) {
    struct statx status;
    if (statx(file, "", AT_EMPTY_PATH, STATX_BTIME, &status) != 0 || !(status.stx_mask & STATX_BTIME)) return 0;
    return (int64_t)status.stx_btime.tv_sec * 1000000000 + status.stx_btime.tv_nsec;
}
