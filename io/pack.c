#include "io/pack.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "io/deflate.h"

/* Room for one chunk. Chunk k lies in slot k mod slot_count. */
struct pack_slot {
    void *chunk, *scratch;
    struct deflate *deflate;
    struct pack_chunk result;
    int64_t done; /* 1 + number of the chunk that is ready here */
};

struct pack {
    struct pack_work work;
    struct pack_room room;   /* what work.room gets back at the end */
    struct pack_slot *slots; /* (slot_count), of the room */
    int slot_count;
    pthread_t *threads;
    int thread_count; /* running */
    pthread_mutex_t lock;
    pthread_cond_t moved; /* any of these, or `done` of a slot, has changed: */
    int64_t begun;        /* chunks that somebody works at or has worked at */
    int64_t taken;        /* chunks whose slots are free again */
    bool is_plain;
    bool is_stopped;
    int64_t handed_out; /* by pack_take() */
};

static void make(const struct pack_work *work, int64_t index, bool is_plain, struct pack_slot *slot)
{
    struct pack_chunk *result = &slot->result;
    const double start = clock_seconds();
    bool is_shuffled = false;
    work->fill(work->state, index, slot->chunk, slot->scratch);
    *result = (struct pack_chunk){.data = slot->chunk, .bytes = work->chunk_bytes};
    if (work->kind == PACK_DEFLATED && !is_plain)
        deflate_chunk(slot->deflate, slot->chunk, &result->data, &result->bytes, &is_shuffled);
    else if (work->kind == PACK_CHECKED || is_plain)
        result->bytes = fletcher32_append(slot->chunk, result->bytes);
    result->form = is_plain ? PACK_PLAIN : is_shuffled ? PACK_SHUFFLED : PACK_AS_ASKED;
    result->seconds = clock_seconds() - start;
}

/* A thread: takes the lowest number that nobody has, as long as there is room for it. */
static void *work_on(void *argument)
{
    struct pack *pack = argument;
    (void)pthread_mutex_lock(&pack->lock);
    while (!pack->is_stopped && pack->begun < pack->work.count) {
        if (pack->begun >= pack->taken + pack->slot_count) {
            (void)pthread_cond_wait(&pack->moved, &pack->lock);
            continue;
        }
        const int64_t index = pack->begun++;
        const bool is_plain = pack->is_plain;
        struct pack_slot *slot = &pack->slots[index % pack->slot_count];
        (void)pthread_mutex_unlock(&pack->lock);
        make(&pack->work, index, is_plain, slot);
        (void)pthread_mutex_lock(&pack->lock);
        slot->done = index + 1;
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
            room->slots[s].done = 0;
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

/* Fewer threads than wanted, or none, only take longer. */
static enum status start_threads(struct pack *pack, int wanted)
{
    TRY(memory_alloc(&pack->threads, (size_t)wanted, sizeof *pack->threads, "threads"));
    while (pack->thread_count < wanted &&
           pthread_create(&pack->threads[pack->thread_count], NULL, work_on, pack) == 0)
        pack->thread_count++;
    return STATUS_OK;
}

enum status pack_open(const struct pack_work *work, struct pack **pack)
{
    const int wanted = work->count < work->threads ? (int)work->count : work->threads;
    const bool is_alone = wanted < 2;
    TRY(memory_alloc(pack, 1, sizeof **pack, "compression"));
    struct pack *p = *pack;
    p->work = *work;
    p->slot_count = is_alone ? 1 : wanted + 2;
    (void)pthread_mutex_init(&p->lock, NULL);
    (void)pthread_cond_init(&p->moved, NULL);
    enum status status = open_slots(p);
    if (status == STATUS_OK && !is_alone)
        status = start_threads(p, wanted);
    if (status != STATUS_OK) {
        pack_close(p);
        *pack = NULL;
    }
    return status;
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
    struct pack_slot *slot = &pack->slots[index % pack->slot_count];
    if (pack->thread_count == 0) {
        make(&pack->work, index, pack->is_plain, slot);
    } else {
        (void)pthread_mutex_lock(&pack->lock);
        pack->taken = index; /* the one before is not looked at any more */
        (void)pthread_cond_broadcast(&pack->moved);
        while (slot->done != index + 1)
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
