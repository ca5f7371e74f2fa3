#ifndef SLUICE_CNCURSES_SHIM_H
#define SLUICE_CNCURSES_SHIM_H
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <term.h>
#include <unistd.h>
#include <wchar.h>

// What Swift cannot import: computed macros (A_*), and mutable globals (stdscr,
// COLORS), which Swift 6 rejects. No decisions here, and no state: a static
// variable in this header would not link.

typedef struct {
    SCREEN *screen;
    FILE *output;
    FILE *input;
} sluice_screen;

// newterm, not initscr: initscr ends the process when the terminal is unknown.
// The copies of the descriptors belong to the streams.
static inline sluice_screen sluice_screen_open(const char *terminal, int output, int input) {
    sluice_screen opened = {NULL, NULL, NULL};
    int outputCopy = fcntl(output, F_DUPFD_CLOEXEC, 0), inputCopy = fcntl(input, F_DUPFD_CLOEXEC, 0);
    opened.output = outputCopy < 0 ? NULL : fdopen(outputCopy, "w");
    opened.input = inputCopy < 0 ? NULL : fdopen(inputCopy, "r");
    if (opened.output && opened.input) opened.screen = newterm(terminal, opened.output, opened.input);
    if (opened.screen) return opened;
    if (opened.output) fclose(opened.output);
    else if (outputCopy >= 0) close(outputCopy);
    if (opened.input) fclose(opened.input);
    else if (inputCopy >= 0) close(inputCopy);
    opened.output = opened.input = NULL;
    return opened;
}

static inline void sluice_screen_free(sluice_screen opened) {
    delscreen(opened.screen);
    fclose(opened.output);
    fclose(opened.input);
}

static inline WINDOW *sluice_window(void) { return stdscr; }
static inline void sluice_repaint(void) { clearok(curscr, TRUE); }
static inline int sluice_rows(void) { return getmaxy(stdscr); }
static inline int sluice_columns(void) { return getmaxx(stdscr); }
static inline int sluice_colors(void) { return COLORS; }
static inline int sluice_color_pairs(void) { return COLOR_PAIRS; }

static inline attr_t sluice_bold(void) { return A_BOLD; }
static inline attr_t sluice_dim(void) { return A_DIM; }
static inline attr_t sluice_reverse(void) { return A_REVERSE; }
static inline attr_t sluice_underline(void) { return A_UNDERLINE; }

// LC_CTYPE only: nothing else of Sluice may depend on the user's language.
static inline bool sluice_use_locale(void) {
    setlocale(LC_CTYPE, "");
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

// The same of the environment alone: the locale of the process stays as it is.
static inline bool sluice_environment_is_unicode(void) {
    locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    if (locale == (locale_t)0) return false;
    bool isUnicode = strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
    freelocale(locale);
    return isUnicode;
}

// wchar.h hides it from Swift.
extern int wcwidth(wchar_t character);

// A string of the terminal's description; NULL where it has none.
static inline const char *sluice_capability(const char *name) {
    const char *text = tigetstr(name);
    return text == (char *)-1 ? NULL : text;
}

// Reads a terminal's description without touching the terminal.
static inline bool sluice_describe(const char *terminal) {
    int error = 0;
    return setupterm(terminal, STDOUT_FILENO, &error) == OK;
}
static inline void sluice_forget_description(void) { del_curterm(cur_term); }
static inline const char *sluice_flag_name(int index) { return boolnames[index]; }
static inline const char *sluice_number_name(int index) { return numnames[index]; }
static inline const char *sluice_string_name(int index) { return strnames[index]; }

// The pair goes by pointer: the short argument would cut numbers above 32767.
static inline int sluice_set_cell(cchar_t *cell, const wchar_t *text, attr_t attributes, int pair) {
    return setcchar(cell, text, attributes, 0, &pair);
}
#endif
