#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "Sockets.h"

static int open_socket(const char *path, struct sockaddr_un *address) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    if (strlen(path) >= sizeof address->sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address->sun_path, path);
    return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
}

static int fail(int descriptor) {
    int number = errno;
    close(descriptor);
    errno = number;
    return -1;
}

// Gives a socket its name, where nothing has it.
static int name_socket(const char *own, const char *path) {
    if (renameat2(AT_FDCWD, own, AT_FDCWD, path, RENAME_NOREPLACE) == 0) return 0;
    // Not every file system can; that the name is free was looked at by the caller.
    return errno == EINVAL || errno == ENOSYS ? rename(own, path) : -1;
}

int sluice_unix_listen(const char *path, int backlog) {
    struct sockaddr_un address;
    // Who waits for the file connects as soon as it is there: so it has another name until the socket listens.
    char own[sizeof address.sun_path];
    struct stat left;
    int has_own = snprintf(own, sizeof own, "%s.sluice-new", path) < (int)sizeof own;
    const char *name = has_own ? own : path;
    if (has_own && lstat(own, &left) == 0 && S_ISSOCK(left.st_mode)) unlink(own);
    int descriptor = open_socket(name, &address);
    if (descriptor < 0) return -1;
    // Before the file exists: it is made with these rights, so that nobody else gets in between.
    if (fchmod(descriptor, 0600) != 0 || bind(descriptor, (struct sockaddr *)&address, sizeof address) != 0) {
        return fail(descriptor);
    }
    if (chmod(name, 0600) != 0 || listen(descriptor, backlog) != 0 || (has_own && name_socket(own, path) != 0)) {
        int number = errno;
        unlink(name);
        errno = number;
        return fail(descriptor);
    }
    return descriptor;
}

int sluice_unix_connect(const char *path) {
    struct sockaddr_un address;
    int descriptor = open_socket(path, &address);
    if (descriptor < 0) return -1;
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) return fail(descriptor);
    return descriptor;
}

int sluice_accept(int listener) { return accept4(listener, 0, 0, SOCK_CLOEXEC | SOCK_NONBLOCK); }

int sluice_raise_descriptor_limit(int wanted) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1024;
    rlim_t target = (rlim_t)wanted < limit.rlim_max ? (rlim_t)wanted : limit.rlim_max;
    if (target > limit.rlim_cur) {
        limit.rlim_cur = target;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
    return limit.rlim_cur > 1000000 ? 1000000 : (int)limit.rlim_cur;
}

static int get_tcp_info(int socket, struct tcp_info *info) {
    socklen_t size = sizeof *info;
    memset(info, 0, sizeof *info);
    return getsockopt(socket, IPPROTO_TCP, TCP_INFO, info, &size);
}

int64_t sluice_silence(int socket) {
    struct tcp_info info;
    return get_tcp_info(socket, &info) == 0 ? (int64_t)info.tcpi_last_data_recv : -1;
}

int64_t sluice_answer_silence(int socket) {
    struct tcp_info info;
    if (get_tcp_info(socket, &info) != 0 || info.tcpi_bytes_received == 0) return -1;
    return info.tcpi_last_data_recv <= info.tcpi_last_data_sent ? (int64_t)info.tcpi_last_data_recv : -1;
}
