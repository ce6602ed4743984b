/* Errors as one list: every status has a name, the exit code of the program and a short text.
 *
 * Whatever can fail returns `enum status` and is marked MUST_CHECK; results leave through pointers.
 * fail() records a message and returns its status; callers pass it on with TRY. Only solver/cli/
 * prints. The first message of a process wins, later ones are consequences of it; only a reader
 * that goes on after a mistake collects several, with error_go_on(). */
#ifndef ISOTHERM_BASE_ERROR_H
#define ISOTHERM_BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>

/*     name         exit  text */
#define STATUS_LIST(X)                                                                             \
    X(OK, 0, "done")                                                                               \
    X(DIFFERS, 1, "the comparison found a difference")                                             \
    X(INPUT, 2, "wrong usage or input")                                                            \
    X(NOT_FINITE, 3, "the solution is not finite")                                                 \
    X(NOT_STEADY, 3, "no steady state was reached")                                                \
    X(PROCESS, 4, "a process of the run died or hung")                                             \
    X(FILE, 5, "file input or output failed")                                                      \
    X(DEVICE, 6, "the device failed")                                                              \
    X(MEMORY, 6, "out of memory")                                                                  \
    X(STOPPED, 75, "stopped early on request, checkpoint written")                                 \
    X(INTERRUPTED, 130, "interrupted")                                                             \
    X(ABORTED, 4, "another process of the run failed first")                                       \
    X(BUG, 70, "internal error")

enum status {
#define X(name, exit_code, text) STATUS_##name,
    STATUS_LIST(X)
#undef X
        STATUS_COUNT
};

enum { ERROR_MESSAGE_BYTES = 2048, ERROR_MOST = 10 };

#define MUST_CHECK          __attribute__((warn_unused_result))
#define PRINTF_LIKE(at, va) __attribute__((format(printf, at, va)))

/* Pass a failure on to the caller. */
#define TRY(call)                                                                                  \
    do {                                                                                           \
        const enum status try_status_ = (call);                                                    \
        if (try_status_ != STATUS_OK)                                                              \
            return try_status_;                                                                    \
    } while (0)

/* The same in a function that cleans up at its label `done` and keeps its result in `status`. */
#define TRY_DONE(call)                                                                             \
    do {                                                                                           \
        status = (call);                                                                           \
        if (status != STATUS_OK)                                                                   \
            goto done;                                                                             \
    } while (0)

/* The same for one of several parts of an input: after STATUS_INPUT, which `status` keeps, the next
 * ones are looked at too. */
#define TRY_EACH(call)                                                                             \
    do {                                                                                           \
        const enum status try_status_ = (call);                                                    \
        if (try_status_ != STATUS_OK)                                                              \
            status = try_status_;                                                                  \
        if (error_is_cut() || (status != STATUS_OK && status != STATUS_INPUT))                     \
            return status;                                                                         \
    } while (0)

/* Records the message (the first one of this process wins; control characters are escaped so that
 * a hostile file name cannot drive a terminal) and returns `status`. */
enum status fail(enum status status, const char *format, ...) PRINTF_LIKE(2, 3);

/* The recorded message, the first of several; "" when nothing failed. */
const char *error_message(void);

/* Keeps the recorded message as one of several, by rising `place` and equal ones as they came, and
 * lets the next fail() record its own; nothing where there is no new one. Of more than ERROR_MOST
 * the first ones stay. */
void error_go_on(int place);

/* Whether there was one more than the ERROR_MOST that are kept: fail() records no more, and a
 * reader stops. */
bool error_is_cut(void);

/* How many messages there are, and each of them. */
int error_count(void);
const char *error_message_at(int index);

/* Forgets the messages: after a failure that was handled (a fallback was taken), and in tests. */
void error_clear(void);

int status_exit_code(enum status status);
const char *status_name(enum status status); /* "STATUS_FILE" */
const char *status_text(enum status status);

#endif
