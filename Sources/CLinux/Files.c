#define _GNU_SOURCE
#include "CLinux.h"
#include <stdio.h>

int sluice_rename_new(int folder, const char *from, const char *to) {
    return renameat2(folder, from, folder, to, RENAME_NOREPLACE);
}

ssize_t sluice_copy_range(int from, int to, size_t count) {
    return copy_file_range(from, NULL, to, NULL, count, 0);
}
