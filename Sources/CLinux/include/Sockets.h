#ifndef SLUICE_SOCKETS_H
#define SLUICE_SOCKETS_H
#include <stdint.h>
#include <sys/socket.h>

// Sockets with a path, whose address is a C array that Swift sees as a tuple of 108. No state.
// All return a descriptor that no other process inherits, or -1 with errno; ENAMETOOLONG for a path that does not fit.

// Listens; only the owner of the file may connect. The file is there once that works, so the name must be free and the caller's;
// until then it is called `path.sluice-new`, where that fits.
int sluice_unix_listen(const char *path, int backlog);
// Connects, blocking.
int sluice_unix_connect(const char *path);
// Takes the next connection, not blocking.
int sluice_accept(int listener);
// For how many milliseconds no data came over a connection of TCP; -1 where that is not known.
int64_t sluice_silence(int socket);
// The same, if data came since the last was sent; -1 if none did.
int64_t sluice_answer_silence(int socket);
// Raises how many descriptors the process may have, up to `wanted` and as far as is allowed. Returns how many it may.
int sluice_raise_descriptor_limit(int wanted);

#endif
