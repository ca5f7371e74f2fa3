#ifndef SLUICE_CLINUX_H
#define SLUICE_CLINUX_H
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "Processes.h"
#include "Signals.h"
#include "Sockets.h"

// EPOLLET is a cast macro, which Swift cannot import.
static const uint32_t sluice_edge_triggered = EPOLLET;

// fcntl, ioctl and syscall are variadic, which Swift cannot call.
static inline int sluice_get_window_size(int terminal, struct winsize *size) { return ioctl(terminal, TIOCGWINSZ, size); }
static inline int sluice_set_window_size(int terminal, const struct winsize *size) { return ioctl(terminal, TIOCSWINSZ, size); }
// Bytes that a terminal has not taken yet; 0 where that is not known.
static inline int sluice_unsent(int descriptor) { int count = 0; return ioctl(descriptor, TIOCOUTQ, &count) == 0 ? count : 0; }
static inline int sluice_set_nonblocking(int descriptor) { return fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK); }
static inline int sluice_process_descriptor(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }
// Blocks of so many bytes go back to the system as soon as they are freed, for the life of the process. By itself
// glibc keeps blocks up to the size of the largest that was ever freed.
static inline void sluice_return_blocks(int size) { mallopt(M_MMAP_THRESHOLD, size); }
// Keeps so many bytes that were freed for the next use. By itself glibc returns the end of a heap as soon as 128 KiB of
// it are free, and takes it back a moment later, page by page.
static inline void sluice_keep_freed(int size) { mallopt(M_TRIM_THRESHOLD, size); }
// Keeps signals from the calling thread, except those that tell of its own crash. For threads that
// write to sockets, whose SIGPIPE must not end the process, and to leave all others to the main thread.
void sluice_block_signals(void);
// Has the calling thread take no processor from another thread when it is woken, but wait for its turn: SCHED_BATCH of
// sched(7). Its share stays the same. Nothing is changed where whoever started the program chose something else.
void sluice_take_turns(void);

// glibc shows these only with _GNU_SOURCE, which Swift's importer doesn't define.

// Renames within a folder unless the new name exists.
int sluice_rename_new(int folder, const char *from, const char *to);
// A new file without a name, in the file system of a folder; -1 where that can't have one.
int sluice_open_unnamed(int folder);
// Gives a file without a name one in a folder of its file system; -1 with EEXIST if something has it.
int sluice_name(int file, int folder, const char *name);
// Opens what of standard input, output and error is closed, as /dev/null.
void sluice_open_standard_descriptors(void);
// Whether it did so for one of them, 0 to 2.
int sluice_was_closed(int file);
// A second descriptor of the same open file, which no other process inherits.
int sluice_duplicate(int file);
// Copies up to `count` bytes from one file's position to the other's.
ssize_t sluice_copy_range(int from, int to, size_t count);
// When an open file was made, in nanoseconds since 1970, or 0 where the file system does not say.
int64_t sluice_birth_time(int file);
// What tells a file from another one of its name.
struct sluice_file {
    bool is_plain;
    int64_t size, seconds, nanoseconds;
    uint64_t inode;
    // Nanoseconds since 1970; 0 where the file system does not say.
    int64_t born;
};
// Of a name in a folder, links not followed; of the open file itself if the name is empty.
int sluice_describe_file(int folder, const char *name, struct sluice_file *file);
// Leaves one of two times as it is.
static const long sluice_time_omit = (1l << 30) - 2l;

#endif
