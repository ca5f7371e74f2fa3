#ifndef SLUICE_SIGNALS_H
#define SLUICE_SIGNALS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The signals of the process, and what must be undone on its terminal if it dies.
//
// This is the only C with state: a signal handler can only reach globals, and
// must not run Swift. Everything here is one per process.

// What came since the last call of sluice_signals_take.
enum {
    SLUICE_CAME_END = 1,       // INT, TERM or HUP, the first of them
    SLUICE_CAME_RESIZE = 2,    // WINCH
    SLUICE_CAME_STOP = 4,      // TSTP
    SLUICE_CAME_CONTINUE = 8,  // CONT
};

// Takes INT, TERM, HUP and whatever else would end the process, but ALRM, which
// libcurl takes; ignores PIPE and XFSZ. A second one ends the process at once,
// with the terminal restored, unless it comes within 50 ms of the first: that
// is one signal sent twice. One HUP after another signal is
// forgiven, since shell and kernel both report a lost terminal.
// Returns an eventfd that is readable while something came, or -1.
int sluice_signals_start(void);
void sluice_signals_stop(void);
uint32_t sluice_signals_take(void);
// The first of those that came, or 0. Stays.
int sluice_signals_ending(void);

// Keeps the terminal's modes, and from now on puts them back if the process
// crashes or exits without sluice_terminal_release. Takes WINCH, TSTP, CONT and
// SEGV BUS ILL TRAP ABRT FPE QUIT SYS. Call it before newterm, which changes the
// modes and takes signals that nobody took. False if it is no terminal.
bool sluice_terminal_guard(int terminal);
// What is written to the terminal then; at most 512 bytes.
bool sluice_terminal_set_restore(const char *text, size_t length);
// Puts the modes back, but not in the background, and every signal.
void sluice_terminal_release(void);
// Puts the modes back for a stop; the guard stays.
void sluice_terminal_lend(void);
// Stops the process group as ^Z does; returns when it was continued, or at
// once where nobody could continue it, and then false.
bool sluice_terminal_stop(void);
// Whether the terminal is another job's now.
bool sluice_terminal_is_lost(void);

#endif
