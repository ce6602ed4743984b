/* The halo exchange between real processes: whatever the ranks' pace, after halo_receive(k) every
 * ghost cell shows the state k of its neighbour, and no later one until it was read. Usage:
 * test_halo cpu|cuda [seed|threads]
 * With "threads" the ranks are threads, so that the thread sanitizer sees whether sequence numbers
 * order all that one rank stores and another reads; what processes share is invisible to it. */
#define _GNU_SOURCE   /* MAP_ANONYMOUS */
#define CHECK_STORAGE _Thread_local

#include <pthread.h>
#include <sys/mman.h>
#include <time.h>

#include "base/text.h"
#include "ipc/halo.h"
#include "solver/layout.h"
#include "tests/conform/backend_fixture.h"

enum { EXCHANGES = 50, MOST_DELAY_US = 200, TIME_LIMIT_S = 100 };

static const double OUTSIDE = -1.0; /* in ghost cells beyond the domain: nothing writes them */

struct trial {
    const struct backend *backend;
    struct layout layout;
    enum transport transport;
    bool is_double;
    uint64_t seed;
    /* made before the fork */
    struct shared *shared;
    struct control *control;
    struct block *blocks; /* (ranks) */
    struct halo_strip *strips;
    int strip_count;
    void *staging;
};

/* One rank. `states` and `seen` are (EXCHANGES, level_bytes) of pinned memory: what the own cells
 * are at each exchange, and the whole level as it was after each halo_receive. */
struct rank {
    const struct trial *trial;
    int index;
    struct fixture fixture;
    struct block block;
    struct extent extent;
    void *fields;
    size_t level_bytes;
    unsigned char *host; /* of which states and seen are parts */
    size_t host_bytes;
    unsigned char *states, *seen; /* as the device sees them */
    struct halo *halo;
    uint64_t random;
};

/* The state of a cell of the domain at exchange k; exact in single precision. */
static double state_of(int64_t x, int64_t y, int k)
{
    uint64_t mixed = (uint64_t)((x * 65536 + y) * 1024 + k);
    return (double)(random_bits(&mixed) >> 40);
}

static void put(const struct rank *rank, unsigned char *level, int i, int j, double value)
{
    const int64_t index = block_index(&rank->block, i, j);
    if (rank->trial->is_double)
        ((double *)(void *)level)[index] = value;
    else
        ((float *)(void *)level)[index] = (float)value;
}

static double get(const struct rank *rank, const unsigned char *level, int i, int j)
{
    const int64_t index = block_index(&rank->block, i, j);
    return rank->trial->is_double ? ((const double *)(const void *)level)[index]
                                  : (double)((const float *)(const void *)level)[index];
}

static int64_t wrapped(bool is_periodic, int64_t index, int64_t n)
{
    return is_periodic ? (index % n + n) % n : index;
}

static double expected_at(const struct rank *rank, int i, int j, int k)
{
    const struct layout *layout = &rank->trial->layout;
    const int64_t x = wrapped(layout->is_periodic_x, rank->extent.x0 + i, layout->nx);
    const int64_t y = wrapped(layout->is_periodic_y, rank->extent.y0 + j, layout->ny);
    const bool is_inside = x >= 0 && x < layout->nx && y >= 0 && y < layout->ny;
    return is_inside ? state_of(x, y, k) : OUTSIDE;
}

static void fill(const struct rank *rank, unsigned char *level, int ghosts, int k)
{
    for (int j = -ghosts; j < rank->block.ny + ghosts; j++)
        for (int i = -ghosts; i < rank->block.nx + ghosts; i++)
            put(rank, level, i, j, k < 0 ? OUTSIDE : expected_at(rank, i, j, k));
}

static int count_wrong_cells(const struct rank *rank, const unsigned char *level, int k)
{
    const int halo = rank->block.halo;
    int wrong = 0;
    for (int j = -halo; j < rank->block.ny + halo; j++)
        for (int i = -halo; i < rank->block.nx + halo; i++)
            wrong += get(rank, level, i, j) != expected_at(rank, i, j, k);
    return wrong;
}

static bool rank_prepare(struct rank *rank)
{
    const struct backend *backend = rank->fixture.backend;
    struct device *device = rank->fixture.device;
    void *mapped = NULL;
    rank->level_bytes = block_bytes(&rank->block);
    rank->host_bytes = 2 * EXCHANGES * rank->level_bytes;
    rank->host =
        mmap(NULL, rank->host_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!CHECK(rank->host != MAP_FAILED) ||
        !CHECK_OK(backend->register_host(device, rank->host, rank->host_bytes, &mapped)) ||
        !CHECK_OK(backend->allocate(device, halo_field_bytes(&rank->block), MEMORY_EXPORTED,
                                    &rank->fields)))
        return false;
    rank->states = mapped;
    rank->seen = rank->states + EXCHANGES * rank->level_bytes;
    fill(rank, rank->host, rank->block.halo, -1);
    for (int level = 0; level < 2; level++)
        if (!move(&rank->fixture, halo_level(rank->fields, &rank->block, level), rank->host,
                  rank->level_bytes))
            return false;
    for (int k = 0; k < EXCHANGES; k++)
        fill(rank, rank->host + (size_t)k * rank->level_bytes, 0, k);
    return true;
}

static bool rank_connect(struct rank *rank)
{
    const struct trial *trial = rank->trial;
    const struct halo_options options = {
        .backend = trial->backend,
        .device = rank->fixture.device,
        .control = trial->control,
        .rank = rank->index,
        .transport = trial->transport,
        .blocks = trial->blocks,
        .strips = trial->strips,
        .strip_count = trial->strip_count,
        .fields = rank->fields,
        .staging = trial->staging,
    };
    return CHECK_OK(halo_open(&options, &rank->halo));
}

/* Queues the copy of the own cells (ghosts 0) or of the whole level. */
static enum status copy_level(const struct rank *rank, const unsigned char *from, unsigned char *to,
                              int ghosts)
{
    const struct block *block = &rank->block;
    const size_t first = (size_t)block_index(block, -ghosts, -ghosts) * block->element_bytes;
    const size_t pitch = (size_t)block->pitch * block->element_bytes;
    const struct copy copy = {.from = from + first,
                              .to = to + first,
                              .from_pitch = pitch,
                              .to_pitch = pitch,
                              .row_bytes = (size_t)(block->nx + 2 * ghosts) * block->element_bytes,
                              .rows = block->ny + 2 * ghosts};
    return rank->fixture.backend->copy(rank->fixture.queue, &copy);
}

static void delay(struct rank *rank)
{
    const struct timespec time = {.tv_nsec = 1000L * random_below(&rank->random, MOST_DELAY_US)};
    if (random_below(&rank->random, 4) > 0)
        (void)nanosleep(&time, NULL);
}

static bool rank_exchange(struct rank *rank, int k)
{
    struct queue *queue = rank->fixture.queue;
    unsigned char *level = halo_level(rank->fields, &rank->block, k % 2);
    const size_t offset = (size_t)k * rank->level_bytes;
    bool is_good = CHECK_OK(copy_level(rank, rank->states + offset, level, 0));
    delay(rank);
    is_good = is_good && CHECK_OK(halo_send(rank->halo, (uint64_t)k, queue));
    delay(rank);
    is_good = is_good && CHECK_OK(halo_receive(rank->halo, (uint64_t)k, queue));
    delay(rank);
    return is_good && CHECK_OK(copy_level(rank, level, rank->seen + offset, rank->block.halo));
}

static bool rank_verify(const struct rank *rank)
{
    bool is_good = true;
    for (int k = 0; k < EXCHANGES && is_good; k++) {
        const size_t offset = (size_t)(EXCHANGES + k) * rank->level_bytes;
        const int wrong = count_wrong_cells(rank, rank->host + offset, k);
        is_good = CHECK_EQUAL_INT(wrong, 0);
        if (!is_good)
            (void)printf("  rank %d, exchange %d\n", rank->index, k);
    }
    return is_good;
}

static bool rank_work(struct rank *rank)
{
    bool is_good = rank_prepare(rank) && rank_connect(rank);
    for (int k = 0; k < EXCHANGES && is_good; k++)
        is_good = rank_exchange(rank, k);
    return is_good && CHECK_OK(rank->fixture.backend->queue_drain(rank->fixture.queue)) &&
           rank_verify(rank) && CHECK_OK(halo_finish(rank->halo));
}

static int rank_main(const struct trial *trial, int index)
{
    struct rank rank = {.trial = trial,
                        .index = index,
                        .fixture = {.backend = trial->backend, .shared = trial->shared},
                        .block = trial->blocks[index],
                        .extent = layout_extent(&trial->layout, index),
                        .random = trial->seed + (uint64_t)index};
    (void)alarm(TIME_LIMIT_S);
    check_counts = (struct check_counts){0};
    if (fixture_open(&rank.fixture, index) && !rank_work(&rank))
        (void)control_fail(trial->control, index, STATUS_BUG, "a claim does not hold");
    halo_close(rank.halo);
    if (rank.fields != NULL)
        trial->backend->release(rank.fixture.device, rank.fields);
    if (rank.states != NULL)
        trial->backend->unregister_host(rank.fixture.device, rank.host);
    fixture_close(&rank.fixture);
    return check_counts.failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static bool trial_open(struct trial *trial)
{
    const int ranks = layout_ranks(&trial->layout);
    size_t largest = 0;
    trial->blocks = test_alloc((size_t)ranks * sizeof *trial->blocks);
    for (int rank = 0; rank < ranks; rank++) {
        const struct extent e = layout_extent(&trial->layout, rank);
        trial->blocks[rank] = block_make((int)(e.x1 - e.x0), (int)(e.y1 - e.y0), trial->layout.halo,
                                         trial->is_double);
        const size_t bytes = halo_field_bytes(&trial->blocks[rank]);
        largest = bytes > largest ? bytes : largest;
    }
    if (!CHECK_OK(layout_strips(&trial->layout, &trial->strips, &trial->strip_count)))
        return false;
    const size_t staging = halo_staging_bytes(trial->blocks, trial->strips, trial->strip_count);
    return (staging == 0 || CHECK_OK(shared_map("test-staging", staging, &trial->staging))) &&
           CHECK_OK(control_open(ranks, &trial->control)) &&
           CHECK_OK(trial->backend->share(ranks, largest, &trial->shared));
}

static void trial_close(struct trial *trial)
{
    trial->backend->unshare(trial->shared);
    control_close(trial->control);
    shared_unmap(trial->staging,
                 halo_staging_bytes(trial->blocks, trial->strips, trial->strip_count));
    free(trial->strips);
    free(trial->blocks);
}

struct thread {
    const struct trial *trial;
    int index, result;
    pthread_t thread;
};

static void *thread_main(void *argument)
{
    struct thread *thread = argument;
    thread->result = rank_main(thread->trial, thread->index);
    return NULL;
}

static void run_threads(const struct trial *trial)
{
    const int ranks = layout_ranks(&trial->layout);
    struct thread *threads = test_alloc((size_t)ranks * sizeof *threads);
    for (int rank = 0; rank < ranks; rank++) {
        threads[rank] = (struct thread){.trial = trial, .index = rank};
        if (pthread_create(&threads[rank].thread, NULL, thread_main, &threads[rank]) != 0)
            abort();
    }
    for (int rank = 0; rank < ranks; rank++) {
        CHECK_EQUAL_INT(pthread_join(threads[rank].thread, NULL), 0);
        CHECK_EQUAL_INT(threads[rank].result, EXIT_SUCCESS);
    }
    free(threads);
}

static void run_processes(const struct trial *trial)
{
    const int ranks = layout_ranks(&trial->layout);
    pid_t *children = test_alloc((size_t)ranks * sizeof *children);
    (void)fflush(stdout);
    for (int rank = 0; rank < ranks; rank++) {
        children[rank] = fork();
        if (children[rank] == 0) {
            const int result = rank_main(trial, rank);
            (void)fflush(stdout);
            _exit(result);
        }
        CHECK(children[rank] > 0);
    }
    for (int rank = 0; rank < ranks; rank++) {
        int state = 1;
        CHECK_EQUAL_INT(waitpid(children[rank], &state, 0), children[rank]);
        CHECK_EQUAL_INT(state, 0);
    }
    free(children);
}

static void ghosts_show_the_neighbours(const struct backend *backend, const struct layout *layout,
                                       enum transport transport, bool is_double, uint64_t seed,
                                       bool is_threaded)
{
    struct trial trial = {.backend = backend,
                          .layout = *layout,
                          .transport = transport,
                          .is_double = is_double,
                          .seed = seed};
    const int before = check_counts.failures;
    const bool is_open = trial_open(&trial);
    if (is_open && is_threaded)
        run_threads(&trial);
    else if (is_open)
        run_processes(&trial);
    trial_close(&trial);
    if (check_counts.failures > before)
        (void)printf("  in %d x %d blocks, %s%s, %s, %s precision\n", layout->px, layout->py,
                     layout->is_periodic_x ? "periodic in x " : "",
                     layout->is_periodic_y ? "periodic in y" : "",
                     transport == HALO_DIRECT ? "direct" : "staged",
                     is_double ? "double" : "single");
}

int main(int count, char **words)
{
    static const struct layout layouts[] = {
        {.nx = 17, .ny = 9, .px = 1, .py = 1, .halo = 3},             /* nobody to exchange with */
        {.nx = 17, .ny = 9, .px = 1, .py = 1, true, true, .halo = 3}, /* with itself */
        {.nx = 3, .ny = 2, .px = 1, .py = 1, true, true, .halo = 7},  /* around itself */
        {.nx = 33, .ny = 8, .px = 2, .py = 1, .halo = 4},
        {.nx = 33, .ny = 8, .px = 2, .py = 1, true, true, .halo = 4}, /* on both sides the same */
        {.nx = 8, .ny = 33, .px = 1, .py = 3, false, true, .halo = 8},
        {.nx = 32, .ny = 21, .px = 3, .py = 2, .halo = 5},
        {.nx = 32, .ny = 21, .px = 3, .py = 2, true, true, .halo = 1},
        {.nx = 70, .ny = 37, .px = 3, .py = 2, true, true, .halo = 16},
        {.nx = 3, .ny = 2, .px = 3, .py = 2, true, true, .halo = 1}, /* a cell each */
    };
    const struct backend *const backend = backend_of(count, words);
    int64_t seed = (int64_t)time(NULL);
    const bool is_threaded = count > 2 && strcmp(words[2], "threads") == 0;
    if (count > 2 && !is_threaded && !text_to_int64(words[2], &seed))
        return EXIT_FAILURE;
    (void)printf("seed %lld\n", (long long)seed);
    for (size_t l = 0; l < sizeof layouts / sizeof layouts[0]; l++)
        for (int way = 0; way < 4; way++)
            ghosts_show_the_neighbours(backend, &layouts[l], way % 2 ? HALO_STAGED : HALO_DIRECT,
                                       way < 2, (uint64_t)seed, is_threaded);
    return check_result();
}
