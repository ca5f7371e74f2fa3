#ifndef SLUICE_CLINUX_H
#define SLUICE_CLINUX_H
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

// EPOLLET is a cast macro, which Swift cannot import.
static const uint32_t sluice_edge_triggered = EPOLLET;

#endif
