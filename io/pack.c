#include "io/pack.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "io/deflate.h"

/* Room for one chunk. */
struct pack_slot {
    void *chunk, *scratch;
    struct deflate *deflate;
    struct pack_chunk result;
    int64_t number; /* 1 + that of the chunk that lies here; 0: none */
    bool is_done;
};

struct pack {
    struct pack_work work;
    struct pack_room room;   /* what work.room gets back at the end */
    struct pack_slot *slots; /* (slot_count), of the room */
    int slot_count;
    pthread_t *threads; /* (most_threads at first) */
    int most_threads;   /* fewer once one could not be had: then no more are asked for */
    pthread_mutex_t lock;
    pthread_cond_t moved; /* any of these, or a slot, has changed: */
    int thread_count;     /* running */
    int64_t begun;        /* chunks that somebody works at or has worked at */
    int64_t taken;        /* chunks whose slots are free again */
    bool is_plain;
    bool is_stopped;
    int64_t handed_out; /* by pack_take() */
};

enum { MORE_SLOTS = 2 }; /* than threads: so much can be done before it is taken */

static void free_slot(struct pack_slot *slot)
{
    slot->number = 0;
    slot->is_done = false;
}

static void make(const struct pack_work *work, int64_t index, bool is_plain, int threads,
                 struct pack_slot *slot)
{
    struct pack_chunk *result = &slot->result;
    const double start = clock_seconds();
    bool is_shuffled = false;
    work->fill(work->state, index, slot->chunk, slot->scratch);
    *result =
        (struct pack_chunk){.data = slot->chunk, .bytes = work->chunk_bytes, .threads = threads};
    if (work->kind == PACK_DEFLATED && !is_plain)
        deflate_chunk(slot->deflate, slot->chunk, &result->data, &result->bytes, &is_shuffled);
    else if (work->kind == PACK_CHECKED || is_plain)
        result->bytes = fletcher32_append(slot->chunk, result->bytes);
    result->form = is_plain ? PACK_PLAIN : is_shuffled ? PACK_SHUFFLED : PACK_AS_ASKED;
    result->seconds = clock_seconds() - start;
}

/* The first one with that number, so that few threads stay in few slots, which caches hold. NULL
 * when there is none. */
static struct pack_slot *find_slot(const struct pack *pack, int64_t number)
{
    for (int s = 0; s < pack->slot_count; s++)
        if (pack->slots[s].number == number)
            return &pack->slots[s];
    return NULL;
}

/* A thread: takes the lowest number that nobody has, as long as there is room for it. */
static void *work_on(void *argument)
{
    struct pack *pack = argument;
    (void)pthread_mutex_lock(&pack->lock);
    while (!pack->is_stopped && pack->begun < pack->work.count) {
        if (pack->begun >= pack->taken + pack->thread_count + MORE_SLOTS) {
            (void)pthread_cond_wait(&pack->moved, &pack->lock);
            continue;
        }
        const int64_t index = pack->begun++;
        const bool is_plain = pack->is_plain;
        const int threads = pack->thread_count;
        struct pack_slot *slot = find_slot(pack, 0);
        slot->number = index + 1;
        (void)pthread_mutex_unlock(&pack->lock);
        make(&pack->work, index, is_plain, threads, slot);
        (void)pthread_mutex_lock(&pack->lock);
        slot->is_done = true;
        (void)pthread_cond_broadcast(&pack->moved);
    }
    (void)pthread_mutex_unlock(&pack->lock);
    return NULL;
}

void pack_room_free(struct pack_room *room)
{
    for (int s = 0; room->slots != NULL && s < room->slot_count; s++) {
        deflate_close(room->slots[s].deflate);
        free(room->slots[s].chunk);
        free(room->slots[s].scratch);
    }
    free(room->slots);
    *room = (struct pack_room){0};
}

static enum status fill_room(struct pack_room *room)
{
    TRY(memory_alloc(&room->slots, (size_t)room->slot_count, sizeof *room->slots, "chunks"));
    for (int s = 0; s < room->slot_count; s++) {
        struct pack_slot *slot = &room->slots[s];
        TRY(memory_alloc(&slot->chunk, room->chunk_bytes + FLETCHER32_BYTES, 1, "chunk"));
        TRY(memory_alloc(&slot->scratch, room->scratch_bytes, 1, "chunk"));
        if (room->kind == PACK_DEFLATED)
            TRY(deflate_open(room->level, room->chunk_bytes, room->element_bytes, &slot->deflate));
    }
    return STATUS_OK;
}

static bool is_same(const struct pack_room *a, const struct pack_room *b)
{
    return a->slot_count == b->slot_count && a->chunk_bytes == b->chunk_bytes &&
           a->scratch_bytes == b->scratch_bytes && a->element_bytes == b->element_bytes &&
           a->kind == b->kind && a->level == b->level;
}

/* From the frame before where that had the same slots, else anew. */
static enum status open_slots(struct pack *pack)
{
    enum status status = STATUS_OK;
    const struct pack_work *work = &pack->work;
    struct pack_room *room = &pack->room;
    *room = (struct pack_room){.slot_count = pack->slot_count,
                               .chunk_bytes = work->chunk_bytes,
                               .scratch_bytes = work->scratch_bytes,
                               .element_bytes = work->element_bytes,
                               .kind = work->kind,
                               .level = work->level};
    if (work->room != NULL && work->room->slots != NULL && is_same(room, work->room)) {
        *room = *work->room;
        *work->room = (struct pack_room){0};
        for (int s = 0; s < room->slot_count; s++)
            free_slot(&room->slots[s]);
    } else {
        if (work->room != NULL)
            pack_room_free(work->room);
        status = fill_room(room);
        if (status != STATUS_OK)
            pack_room_free(room);
    }
    pack->slots = room->slots;
    return status;
}

/* Fewer threads than wanted only take longer; without any, who takes does the work. */
static void start_threads(struct pack *pack, int wanted)
{
    (void)pthread_mutex_lock(&pack->lock);
    while (pack->thread_count < wanted && pack->thread_count < pack->most_threads) {
        if (pthread_create(&pack->threads[pack->thread_count], NULL, work_on, pack) == 0)
            pack->thread_count++;
        else
            pack->most_threads = pack->thread_count;
    }
    (void)pthread_mutex_unlock(&pack->lock);
}

enum status pack_open(const struct pack_work *work, struct pack **pack)
{
    const int most = work->count < work->threads ? (int)work->count : work->threads;
    const bool is_first_few = work->threads_at_first > 0 && work->threads_at_first < most;
    const bool is_alone = most < 2;
    TRY(memory_alloc(pack, 1, sizeof **pack, "compression"));
    struct pack *p = *pack;
    p->work = *work;
    p->most_threads = is_alone ? 0 : most;
    p->slot_count = is_alone ? 1 : most + MORE_SLOTS;
    (void)pthread_mutex_init(&p->lock, NULL);
    (void)pthread_cond_init(&p->moved, NULL);
    enum status status = open_slots(p);
    if (status == STATUS_OK)
        status = memory_alloc(&p->threads, (size_t)p->most_threads, sizeof *p->threads, "threads");
    if (status != STATUS_OK) {
        pack_close(p);
        *pack = NULL;
        return status;
    }
    start_threads(p, is_first_few ? work->threads_at_first : p->most_threads);
    return STATUS_OK;
}

/* None where none could be had at first: then who takes has begun to do the work. */
void pack_use_all(struct pack *pack)
{
    start_threads(pack, pack->most_threads);
}

void pack_set_plain(struct pack *pack, bool is_plain)
{
    (void)pthread_mutex_lock(&pack->lock);
    pack->is_plain = is_plain;
    (void)pthread_mutex_unlock(&pack->lock);
}

void pack_take(struct pack *pack, struct pack_chunk *chunk)
{
    const int64_t index = pack->handed_out++;
    struct pack_slot *slot = pack->slots;
    if (pack->thread_count == 0) {
        make(&pack->work, index, pack->is_plain, 1, slot);
    } else {
        (void)pthread_mutex_lock(&pack->lock);
        if (index > 0)
            free_slot(find_slot(pack, index)); /* the one before is not looked at any more */
        pack->taken = index;
        (void)pthread_cond_broadcast(&pack->moved);
        while ((slot = find_slot(pack, index + 1)) == NULL || !slot->is_done)
            (void)pthread_cond_wait(&pack->moved, &pack->lock);
        (void)pthread_mutex_unlock(&pack->lock);
    }
    *chunk = slot->result;
}

void pack_close(struct pack *pack)
{
    if (pack == NULL)
        return;
    (void)pthread_mutex_lock(&pack->lock);
    pack->is_stopped = true;
    (void)pthread_cond_broadcast(&pack->moved);
    (void)pthread_mutex_unlock(&pack->lock);
    for (int t = 0; t < pack->thread_count; t++)
        (void)pthread_join(pack->threads[t], NULL);
    if (pack->work.room != NULL)
        *pack->work.room = pack->room;
    else
        pack_room_free(&pack->room);
    (void)pthread_cond_destroy(&pack->moved);
    (void)pthread_mutex_destroy(&pack->lock);
    free(pack->threads);
    free(pack);
}
