/* What every backend promises about memory, queues, events and copies in one process. Usage:
 * test_backend cpu|cuda */
#include "tests/conform/backend_fixture.h"

static bool is_zero(const unsigned char *memory, size_t bytes)
{
    for (size_t n = 0; n < bytes; n++)
        if (memory[n] != 0)
            return false;
    return true;
}

/* Twice, so that the second may get back what the first has written. */
static void memory_comes_zeroed(const struct fixture *fixture)
{
    static const size_t sizes[] = {1, 4097, (1 << 20) + 24};
    for (size_t n = 0; n < 2 * sizeof sizes / sizeof sizes[0]; n++) {
        const size_t bytes = sizes[n / 2];
        unsigned char *const host = test_alloc(bytes);
        void *memory = NULL;
        memset(host, 1, bytes);
        if (CHECK_OK(fixture->backend->allocate(fixture->device, bytes, MEMORY_PRIVATE, &memory)) &&
            move(fixture, host, memory, bytes)) {
            CHECK(is_zero(host, bytes));
            memset(host, 1, bytes);
            CHECK(move(fixture, memory, host, bytes));
        }
        fixture->backend->release(fixture->device, memory);
        free(host);
    }
}

static void too_much_memory_is_an_error(const struct fixture *fixture)
{
    void *memory = NULL;
    CHECK_FAILS(
        fixture->backend->allocate(fixture->device, (size_t)1 << 50, MEMORY_PRIVATE, &memory),
        STATUS_MEMORY);
    CHECK(memory == NULL);
    CHECK_CONTAINS(error_message(), "1125899906842624 bytes");
    error_clear();
}

static void nothing_to_close_is_fine(const struct fixture *fixture)
{
    const struct backend *const backend = fixture->backend;
    backend->close(NULL);
    backend->release(fixture->device, NULL);
    backend->unmap_memory(fixture->device, NULL);
    backend->unregister_host(fixture->device, NULL);
    backend->queue_close(NULL);
    backend->event_close(NULL);
    backend->copy_list_close(NULL);
    CHECK_EQUAL_INT(backend->counts(fixture->device).allocations, 0);
}

/* Rectangles of odd sizes on odd addresses, apart from each other. */
struct rectangle {
    size_t from, to, from_pitch, to_pitch, row_bytes;
    int rows;
};

static const struct rectangle rectangles[] = {
    {0, 0, 256, 512, 128, 40},            /* as wide as can be */
    {16008, 30008, 1024, 264, 8, 60},     /* a strip one cell wide */
    {80000, 50004, 36, 44, 12, 33},       /* 4 bytes at most */
    {90002, 60006, 30, 34, 6, 21},        /* 2 */
    {100001, 70003, 17, 19, 5, 13},       /* 1 */
    {110000, 80000, 1, 3, 4096, 1},       /* one row: pitches mean nothing */
    {130000, 90000, 4112, 4128, 4104, 9}, /* rows longer than a block of threads */
    {180000, 140000, 16, 16, 16, 0},      /* no rows */
    {180000, 141000, 16, 16, 0, 7},       /* no bytes */
};
enum { RECTANGLES = sizeof rectangles / sizeof rectangles[0], AREA = 200000 };

static void copy_on_host(const struct copy *copy)
{
    for (int row = 0; row < copy->rows && copy->row_bytes > 0; row++)
        memcpy((unsigned char *)copy->to + (size_t)row * copy->to_pitch,
               (const unsigned char *)copy->from + (size_t)row * copy->from_pitch, copy->row_bytes);
}

static void copies_make(struct copy *copies, const unsigned char *from, unsigned char *to)
{
    for (int n = 0; n < RECTANGLES; n++) {
        const struct rectangle *const r = &rectangles[n];
        copies[n] = (struct copy){from + r->from, to + r->to,   r->from_pitch,
                                  r->to_pitch,    r->row_bytes, r->rows};
    }
}

static bool list_run_once(const struct fixture *fixture, const struct copy *copies, int count)
{
    const struct backend *const backend = fixture->backend;
    struct copy_list *list = NULL;
    const bool is_done = CHECK_OK(backend->copy_list_open(fixture->device, copies, count, &list)) &&
                         CHECK_OK(backend->copy_list_run(fixture->queue, list)) &&
                         CHECK_OK(backend->queue_drain(fixture->queue));
    backend->copy_list_close(list);
    return is_done;
}

/* The list against the same copies on the host, everything in between included. */
static void copy_lists_move_rectangles_and_nothing_else(const struct fixture *fixture)
{
    uint64_t state = 1;
    const struct backend *const backend = fixture->backend;
    unsigned char *const host = test_alloc(4 * AREA), *const expected = host + 2 * AREA;
    void *memory = NULL;
    struct copy copies[RECTANGLES];
    random_fill(&state, host, 2 * AREA);
    memcpy(expected, host, 2 * AREA);
    copies_make(copies, expected, expected + AREA);
    for (int n = 0; n < RECTANGLES; n++)
        copy_on_host(&copies[n]);
    if (CHECK_OK(backend->allocate(fixture->device, 2 * AREA, MEMORY_PRIVATE, &memory)) &&
        move(fixture, memory, host, 2 * AREA)) {
        copies_make(copies, memory, (unsigned char *)memory + AREA);
        if (list_run_once(fixture, copies, 0) && list_run_once(fixture, copies, RECTANGLES) &&
            move(fixture, host, memory, 2 * AREA))
            CHECK(memcmp(host, expected, 2 * AREA) == 0);
    }
    backend->release(fixture->device, memory);
    free(host);
}

/* Down and up again by single copies with pitches. */
static void copies_between_host_and_device_keep_pitches(const struct fixture *fixture)
{
    uint64_t state = 2;
    const struct backend *const backend = fixture->backend;
    unsigned char *const host = test_alloc(3 * AREA), *const back = host + AREA;
    unsigned char *const expected = back + AREA;
    void *memory = NULL;
    random_fill(&state, host, AREA);
    if (CHECK_OK(backend->allocate(fixture->device, AREA, MEMORY_PRIVATE, &memory))) {
        struct copy up[RECTANGLES], down[RECTANGLES];
        copies_make(up, host, memory);
        for (int n = 0; n < RECTANGLES; n++) {
            CHECK_OK(backend->copy(fixture->queue, &up[n]));
            down[n] = (struct copy){up[n].to,         back + rectangles[n].from, up[n].to_pitch,
                                    up[n].from_pitch, up[n].row_bytes,           up[n].rows};
            CHECK_OK(backend->copy(fixture->queue, &down[n]));
            struct copy same = up[n];
            same.to = expected + rectangles[n].from;
            same.to_pitch = same.from_pitch;
            copy_on_host(&same);
        }
        if (CHECK_OK(backend->queue_drain(fixture->queue)))
            CHECK(memcmp(back, expected, AREA) == 0);
    }
    backend->release(fixture->device, memory);
    free(host);
}

static void note_call(void *argument)
{
    unsigned char *const seen = argument;
    seen[1] = seen[0];
}

/* A call sees what was copied before it; what is copied after it comes later. */
static void queue_calls_keep_their_place(const struct fixture *fixture)
{
    const struct backend *const backend = fixture->backend;
    unsigned char seen[2] = {0, 0};
    const unsigned char values[2] = {7, 9};
    void *memory = NULL;
    if (CHECK_OK(backend->allocate(fixture->device, 2, MEMORY_PRIVATE, &memory)) &&
        move(fixture, memory, values, 2)) {
        const struct copy first = {.from = memory, .to = seen, .row_bytes = 1, .rows = 1};
        struct copy second = first;
        second.from = (unsigned char *)memory + 1;
        CHECK_OK(backend->copy(fixture->queue, &first));
        CHECK_OK(backend->queue_call(fixture->queue, note_call, seen));
        CHECK_OK(backend->copy(fixture->queue, &second));
        CHECK_OK(backend->queue_drain(fixture->queue));
        CHECK_EQUAL_INT(seen[1], 7);
        CHECK_EQUAL_INT(seen[0], 9);
    }
    backend->release(fixture->device, memory);
}

/* A relay through two queues, one event each way: each leg reads what the other queue wrote. */
static void events_order_queues(const struct fixture *fixture)
{
    enum { LEGS = 16, LEG_BYTES = 1 << 22 };
    const struct backend *const backend = fixture->backend;
    struct queue *queues[2] = {fixture->queue, NULL};
    struct event *event = NULL;
    struct copy_list *lists[LEGS] = {NULL};
    void *memory = NULL;
    bool is_done = false;
    uint64_t state = 3;
    unsigned char *const host = test_alloc(2 * LEG_BYTES);
    random_fill(&state, host, LEG_BYTES);
    CHECK_OK(backend->queue_open(fixture->device, QUEUE_HIGH, &queues[1]));
    CHECK_OK(backend->event_open(fixture->device, false, &event));
    CHECK_OK(backend->event_wait(queues[1], event)); /* never recorded: no wait */
    CHECK_OK(backend->allocate(fixture->device, (LEGS + 1) * (size_t)LEG_BYTES, MEMORY_PRIVATE,
                               &memory));
    CHECK(move(fixture, memory, host, LEG_BYTES));
    for (int leg = 0; leg < LEGS; leg++) {
        const unsigned char *const from = (unsigned char *)memory + (size_t)leg * LEG_BYTES;
        const struct copy copy = {from, (unsigned char *)memory + (size_t)(leg + 1) * LEG_BYTES,
                                  1024, 1024,
                                  1024, LEG_BYTES / 1024};
        CHECK_OK(backend->copy_list_open(fixture->device, &copy, 1, &lists[leg]));
    }
    for (int leg = 0; leg < LEGS; leg++) {
        CHECK_OK(backend->event_wait(queues[leg % 2], event));
        CHECK_OK(backend->copy_list_run(queues[leg % 2], lists[leg]));
        CHECK_OK(backend->event_record(queues[leg % 2], event));
    }
    CHECK_OK(backend->queue_drain(queues[(LEGS - 1) % 2]));
    CHECK_OK(backend->event_query(event, &is_done));
    CHECK(is_done);
    CHECK(move(fixture, host + LEG_BYTES, (unsigned char *)memory + LEGS * (size_t)LEG_BYTES,
               LEG_BYTES));
    CHECK(memcmp(host, host + LEG_BYTES, LEG_BYTES) == 0);
    for (int leg = 0; leg < LEGS; leg++)
        backend->copy_list_close(lists[leg]);
    backend->release(fixture->device, memory);
    backend->event_close(event);
    backend->queue_close(queues[1]);
    free(host);
}

/* A GPU holds the tile of a step in shared memory; there is no way around its size. */
static void cuda_names_the_most_steps(const struct fixture *fixture)
{
    const struct block block = block_make(8, 8, 0, true);
    const struct step step = {.block = &block, .region = {0, 8, 0, 8}, .steps = 1000};
    CHECK_FAILS(fixture->backend->step(fixture->queue, &step), STATUS_DEVICE);
    CHECK_CONTAINS(error_message(), "set run.steps_per_exchange to ");
    error_clear();
}

static void cuda_names_a_gpu_that_is_not_there(const struct fixture *fixture)
{
    struct device *device = NULL;
    const struct device_options options = {.shared = fixture->shared, .ordinal = 999};
    CHECK_FAILS(fixture->backend->open(&options, &device), STATUS_DEVICE);
    CHECK(device == NULL);
    CHECK_CONTAINS(error_message(), "GPU 999 does not exist");
    error_clear();
}

int main(int count, char **words)
{
    struct fixture fixture = {.backend = backend_of(count, words)};
    CHECK_OK(fixture.backend->share(1, 0, &fixture.shared));
    if (fixture_open(&fixture, 0)) {
        nothing_to_close_is_fine(&fixture);
        memory_comes_zeroed(&fixture);
        too_much_memory_is_an_error(&fixture);
        copy_lists_move_rectangles_and_nothing_else(&fixture);
        copies_between_host_and_device_keep_pitches(&fixture);
        queue_calls_keep_their_place(&fixture);
        events_order_queues(&fixture);
        if (fixture.backend == &backend_cuda) {
            cuda_names_the_most_steps(&fixture);
            cuda_names_a_gpu_that_is_not_there(&fixture);
        }
    }
    fixture_close(&fixture);
    fixture.backend->unshare(fixture.shared);
    return check_result();
}
