#include "base/parts.h"

#include <pthread.h>
#include <stdbool.h>

enum { MOST_THREADS = 256 };

struct thread {
    void (*work)(void *state, int part);
    void *state;
    pthread_t id;
    int part;
    bool is_running;
};

static void *begin(void *argument)
{
    const struct thread *thread = argument;
    thread->work(thread->state, thread->part);
    return NULL;
}

void parts_run(int parts, void (*work)(void *state, int part), void *state)
{
    struct thread threads[MOST_THREADS];
    const int others = parts - 1 < MOST_THREADS ? parts - 1 : MOST_THREADS;
    for (int t = 0; t < others; t++) {
        threads[t] = (struct thread){.work = work, .state = state, .part = t};
        threads[t].is_running = pthread_create(&threads[t].id, NULL, begin, &threads[t]) == 0;
    }
    for (int part = others; part < parts; part++)
        work(state, part);
    for (int t = 0; t < others; t++) {
        if (threads[t].is_running)
            (void)pthread_join(threads[t].id, NULL);
        else
            work(state, t);
    }
}
