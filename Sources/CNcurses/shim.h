#ifndef SLUICE_CNCURSES_SHIM_H
#define SLUICE_CNCURSES_SHIM_H
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <locale.h>
#include <stdbool.h>
#endif
