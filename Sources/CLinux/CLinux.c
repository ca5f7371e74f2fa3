#include "CLinux.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

// Everything below may be called from a signal handler, except the functions of
// Signals.h: so only atomics, write, poll, tcsetattr, sigaction and the like.

static atomic_int bell = -1;
static atomic_uint came;
static atomic_int ending;
// When it came, in milliseconds of the monotonic clock; 0 while none has.
static atomic_llong endingTime;
static atomic_bool isRepeated;

// All that would end the process, but SIGALRM, which libcurl takes. SIGPIPE and SIGXFSZ are ignored: the write that they
// stand for fails too.
static const int endings[] = {SIGINT,  SIGTERM, SIGHUP,  SIGPIPE, SIGXFSZ, SIGUSR1,  SIGUSR2,
                              SIGPROF, SIGXCPU, SIGIO,   SIGPWR,  SIGVTALRM, SIGSTKFLT};
static struct sigaction oldEndings[sizeof endings / sizeof *endings];
// Those that nobody has given a meaning to end it too.
static struct sigaction oldRealTime[NSIG];

static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGQUIT, SIGSYS};
static struct sigaction oldCrashes[sizeof crashes / sizeof *crashes];

static const int changes[] = {SIGWINCH, SIGTSTP, SIGCONT};
static struct sigaction oldChanges[3];
static struct sigaction oldAlarm;

static int guarded = -1;
static atomic_bool isGuarded;
static struct termios modes;
static char restore[512];
static atomic_size_t restoreLength;

static char alternateStack[64 * 1024];
static stack_t oldStack;

static void ring(unsigned what) {
    uint64_t one = 1;
    int descriptor = atomic_load(&bell);
    atomic_fetch_or(&came, what);
    if (descriptor >= 0 && write(descriptor, &one, sizeof one) < 0) return;
}

// At most once. A job in the background leaves the terminal alone: it is its
// owner's now. Never waits long: the terminal may be stuck or gone.
static void undo(void) {
    if (!atomic_exchange(&isGuarded, false)) return;
    if (sluice_terminal_is_lost()) return;
    struct pollfd ready = {guarded, POLLOUT, 0};
    size_t sent = 0, length = atomic_load(&restoreLength);
    // What nobody reads must not stand before what resets the modes. CAN ends the sequence that this cuts through.
    if (poll(&ready, 1, 0) == 0 && tcflush(guarded, TCOFLUSH) == 0 && poll(&ready, 1, 0) == 1) {
        ssize_t count = write(guarded, "\030", 1);
        (void)count;
    }
    while (sent < length && poll(&ready, 1, 100) == 1 && ready.revents == POLLOUT) {
        ssize_t count = write(guarded, restore + sent, length - sent);
        if (count <= 0) break;
        sent += (size_t)count;
    }
    tcsetattr(guarded, TCSANOW, &modes);
}

static void crashed(int number, siginfo_t *info, void *context) {
    (void)context;
    int kept = errno;
    undo();
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        if (crashes[i] == number) sigaction(number, &oldCrashes[i], NULL);
    // A fault comes again when the instruction is run again, with the address
    // that the next handler wants to report. The others would not.
    bool comesAgain = info->si_code > 0 && number != SIGTRAP && number != SIGABRT && number != SIGQUIT;
    if (!comesAgain) raise(number);
    errno = kept;
}

static void end(int number) {
    if (atomic_load(&isGuarded)) {
        undo();
        struct sigaction plain = {.sa_handler = SIG_DFL};
        sigaction(number, &plain, NULL);
        sigset_t only;
        sigemptyset(&only);
        sigaddset(&only, number);
        raise(number);
        pthread_sigmask(SIG_UNBLOCK, &only, NULL);
    }
    _exit(128 + number);
}

// What comes sooner behind the first one was sent with it, as timeout(1) signals its child and then its group.
static const long long doubled = 50;

static void endingCame(int number) {
    int kept = errno;
    struct timespec clock = {0};
    clock_gettime(CLOCK_MONOTONIC, &clock);
    long long now = clock.tv_sec * 1000LL + clock.tv_nsec / 1000000 + 1, first = 0;
    if (atomic_compare_exchange_strong(&endingTime, &first, now)) {
        atomic_store(&ending, number);
        ring(SLUICE_CAME_END);
        if (atomic_load(&isGuarded)) alarm(1);
    } else {
        bool isForgiven = number == SIGHUP && !atomic_exchange(&isRepeated, true);
        if (!isForgiven && now - first >= doubled) end(number);
    }
    errno = kept;
}

// The end was asked for a second ago. Where the terminal still takes nothing, as after ^S or over a link that is gone,
// whoever draws waits for it and hears of no end: then it is as if it had been asked for again.
static void alarmCame(int number) {
    (void)number;
    int kept = errno, asked = atomic_load(&ending);
    struct pollfd ready = {guarded, POLLOUT, 0};
    if (asked != 0 && atomic_load(&isGuarded) && poll(&ready, 1, 0) == 0) end(asked);
    errno = kept;
}

static void changeCame(int number) {
    int kept = errno;
    ring(number == SIGWINCH ? SLUICE_CAME_RESIZE : number == SIGTSTP ? SLUICE_CAME_STOP : SLUICE_CAME_CONTINUE);
    errno = kept;
}

int sluice_signals_start(void) {
    if (atomic_load(&bell) >= 0) return -1;
    int descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (descriptor < 0) return -1;
    atomic_store(&came, 0);
    atomic_store(&ending, 0);
    atomic_store(&endingTime, 0);
    atomic_store(&isRepeated, false);
    atomic_store(&bell, descriptor);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        struct sigaction action = {.sa_handler = endingCame, .sa_flags = SA_RESTART | SA_ONSTACK};
        if (endings[i] == SIGPIPE || endings[i] == SIGXFSZ) action.sa_handler = SIG_IGN;
        sigfillset(&action.sa_mask);
        sigaction(endings[i], NULL, &oldEndings[i]);
        // nohup asks for this.
        if (endings[i] == SIGHUP && oldEndings[i].sa_handler == SIG_IGN) continue;
        sigaction(endings[i], &action, NULL);
    }
    for (int number = SIGRTMIN; number <= SIGRTMAX && number < NSIG; number++) {
        struct sigaction action = {.sa_handler = endingCame, .sa_flags = SA_RESTART | SA_ONSTACK};
        sigfillset(&action.sa_mask);
        sigaction(number, &action, &oldRealTime[number]);
    }
    return descriptor;
}

void sluice_signals_stop(void) {
    for (int number = SIGRTMIN; number <= SIGRTMAX && number < NSIG; number++)
        sigaction(number, &oldRealTime[number], NULL);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) sigaction(endings[i], &oldEndings[i], NULL);
    int descriptor = atomic_exchange(&bell, -1);
    if (descriptor >= 0) close(descriptor);
}

uint32_t sluice_signals_take(void) {
    uint64_t count;
    int descriptor = atomic_load(&bell);
    if (descriptor >= 0 && read(descriptor, &count, sizeof count) < 0 && errno != EAGAIN) return 0;
    return atomic_exchange(&came, 0);
}

int sluice_signals_ending(void) { return atomic_load(&ending); }

bool sluice_terminal_guard(int terminal) {
    static atomic_bool isRegistered;
    if (tcgetattr(terminal, &modes) != 0) return false;
    guarded = terminal;
    atomic_store(&restoreLength, 0);
    atomic_store(&isGuarded, true);
    if (!atomic_exchange(&isRegistered, true)) atexit(undo);

    // For a stack that overflowed.
    stack_t stack = {.ss_sp = alternateStack, .ss_size = sizeof alternateStack};
    if (sigaltstack(NULL, &oldStack) == 0 && (oldStack.ss_flags & SS_DISABLE)) sigaltstack(&stack, NULL);

    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) {
        struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK};
        sigfillset(&action.sa_mask);
        sigaction(crashes[i], NULL, &oldCrashes[i]);
        if (oldCrashes[i].sa_handler != SIG_IGN) sigaction(crashes[i], &action, NULL);
    }
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        struct sigaction action = {.sa_handler = changeCame, .sa_flags = SA_RESTART | SA_ONSTACK};
        sigfillset(&action.sa_mask);
        sigaction(changes[i], NULL, &oldChanges[i]);
        if (changes[i] != SIGTSTP || oldChanges[i].sa_handler != SIG_IGN) sigaction(changes[i], &action, NULL);
    }
    struct sigaction action = {.sa_handler = alarmCame, .sa_flags = SA_RESTART | SA_ONSTACK};
    sigfillset(&action.sa_mask);
    sigaction(SIGALRM, &action, &oldAlarm);
    return true;
}

bool sluice_terminal_set_restore(const char *text, size_t length) {
    if (length > sizeof restore) return false;
    atomic_store(&restoreLength, 0);
    memcpy(restore, text, length);
    atomic_store(&restoreLength, length);
    return true;
}

void sluice_terminal_lend(void) { tcsetattr(guarded, TCSANOW, &modes); }

bool sluice_terminal_is_lost(void) {
    pid_t owner = tcgetpgrp(guarded);
    return owner > 0 && owner != getpgrp();
}

void sluice_terminal_release(void) {
    // In the background it would only stop the process.
    if (atomic_exchange(&isGuarded, false) && !sluice_terminal_is_lost()) tcsetattr(guarded, TCSANOW, &modes);
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) sigaction(crashes[i], &oldCrashes[i], NULL);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) sigaction(changes[i], &oldChanges[i], NULL);
    alarm(0);
    sigaction(SIGALRM, &oldAlarm, NULL);
    if (oldStack.ss_flags & SS_DISABLE) sigaltstack(&oldStack, NULL);
}

bool sluice_terminal_stop(void) {
    struct sigaction ignored = {.sa_handler = SIG_IGN}, plain = {.sa_handler = SIG_DFL}, mine;
    sigaction(SIGTSTP, NULL, &mine);
    if (mine.sa_handler == SIG_IGN) return false;
    // First the rest of the job, then this thread: raise returns only after the
    // stop, where a signal to the group could stop another thread a moment later.
    sigaction(SIGTSTP, &ignored, NULL);
    kill(0, SIGTSTP);
    sigaction(SIGTSTP, &plain, NULL);
    raise(SIGTSTP);
    sigaction(SIGTSTP, &mine, NULL);
    atomic_fetch_and(&came, ~(unsigned)(SLUICE_CAME_STOP | SLUICE_CAME_CONTINUE));
    return true;
}
