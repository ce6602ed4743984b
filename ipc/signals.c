#include "ipc/signals.h"

#include <errno.h>
#include <string.h>
#include <time.h>

static const struct {
    int number;
    bool is_ignored; /* else: blocked in the launcher */
} handled[SIGNALS_HANDLED] = {
    {SIGCHLD, false}, {SIGTERM, false}, {SIGINT, false}, {SIGUSR1, false},
    {SIGUSR2, false}, {SIGHUP, false},  {SIGPIPE, true},
};

/* A run that was started by nohup goes on when its terminal goes. */
static enum status leave_hangup_ignored(struct signals *signals)
{
    struct sigaction now;
    if (sigaction(SIGHUP, NULL, &now) != 0)
        return fail(STATUS_BUG, "sigaction: %s", strerror(errno));
    if (now.sa_handler == SIG_IGN)
        (void)sigdelset(&signals->watched, SIGHUP);
    return STATUS_OK;
}

enum status signals_open(struct signals *signals)
{
    (void)sigemptyset(&signals->watched);
    for (int i = 0; i < SIGNALS_HANDLED; i++)
        if (!handled[i].is_ignored)
            (void)sigaddset(&signals->watched, handled[i].number);
    TRY(leave_hangup_ignored(signals));
    /* Blocked before their disposition changes: at no moment would one end the launcher. */
    if (sigprocmask(SIG_BLOCK, &signals->watched, &signals->old_mask) != 0)
        return fail(STATUS_BUG, "sigprocmask: %s", strerror(errno));
    for (int i = 0; i < SIGNALS_HANDLED; i++) {
        const bool is_watched = sigismember(&signals->watched, handled[i].number) == 1;
        struct sigaction action = {.sa_handler = is_watched ? SIG_DFL : SIG_IGN};
        (void)sigemptyset(&action.sa_mask);
        if (sigaction(handled[i].number, &action, &signals->old[i]) != 0)
            return fail(STATUS_BUG, "sigaction: %s", strerror(errno));
    }
    return STATUS_OK;
}

void signals_close(const struct signals *signals)
{
    while (signals_take(signals, 0.0) != 0)
        continue;
    for (int i = 0; i < SIGNALS_HANDLED; i++)
        (void)sigaction(handled[i].number, &signals->old[i], NULL);
    (void)sigprocmask(SIG_SETMASK, &signals->old_mask, NULL);
}

void signals_in_child(const struct signals *signals)
{
    for (int i = 0; i < SIGNALS_HANDLED; i++) {
        struct sigaction action = {.sa_handler = handled[i].number == SIGCHLD ? SIG_DFL : SIG_IGN};
        (void)sigemptyset(&action.sa_mask);
        (void)sigaction(handled[i].number, &action, NULL);
    }
    (void)sigprocmask(SIG_SETMASK, &signals->old_mask, NULL);
}

int signals_take(const struct signals *signals, double seconds)
{
    struct timespec time = {0};
    if (seconds > 0) {
        time.tv_sec = (time_t)seconds;
        time.tv_nsec = (long)((seconds - (double)time.tv_sec) * 1e9);
    }
    const int number = sigtimedwait(&signals->watched, NULL, &time);
    return number > 0 ? number : 0; /* else time over, or stopped and continued */
}
