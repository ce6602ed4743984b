#include "io/h5_patch.h"

#include <stdlib.h>
#include <string.h>

static bool overlap(const struct h5_patch *patch, uint64_t address, size_t bytes)
{
    return patch->address < address + bytes && address < patch->address + patch->bytes;
}

bool h5_patches_write(struct h5_patches *patches, uint64_t address, size_t bytes, const void *data)
{
    for (int k = patches->count - 1; k >= 0; k--) {
        struct h5_patch *patch = &patches->list[k];
        if (!overlap(patch, address, bytes))
            continue;
        if (patch->address != address || patch->bytes != bytes)
            break; /* must lie over it, so it comes behind */
        memcpy(patch->data, data, bytes);
        return true;
    }
    if (patches->count == patches->room) {
        const int room = 2 * patches->room + 16;
        struct h5_patch *list = realloc(patches->list, (size_t)room * sizeof *list);
        if (list == NULL)
            return false;
        patches->list = list;
        patches->room = room;
    }
    unsigned char *copy = malloc(bytes > 0 ? bytes : 1);
    if (copy == NULL)
        return false;
    memcpy(copy, data, bytes);
    patches->list[patches->count++] = (struct h5_patch){address, bytes, copy};
    return true;
}

void h5_patches_read(const struct h5_patches *patches, uint64_t address, size_t bytes, void *data)
{
    for (int k = 0; k < patches->count; k++) {
        const struct h5_patch *patch = &patches->list[k];
        if (!overlap(patch, address, bytes))
            continue;
        const uint64_t patch_end = patch->address + patch->bytes;
        const uint64_t from = patch->address > address ? patch->address : address;
        const uint64_t to = patch_end < address + bytes ? patch_end : address + bytes;
        memcpy((unsigned char *)data + (from - address), patch->data + (from - patch->address),
               (size_t)(to - from));
    }
}

void h5_patches_free(struct h5_patches *patches)
{
    for (int k = 0; k < patches->count; k++)
        free(patches->list[k].data);
    free(patches->list);
    *patches = (struct h5_patches){0};
}

/* ---- order ---- */

enum rank {
    RANK_ANCHOR_FIRST,
    RANK_SUPERBLOCK,
    RANK_VALUES,
    RANK_NODES,
    RANK_HEADERS = 1000,
    RANK_ANCHOR_LAST
};

/* Signatures and the level of a version 1 B-tree node: HDF5 File Format Specification 3.0, III.A.1
 * and IV.A.1.b. */
static int rank_of(const struct h5_patch *patch, uint64_t anchor, bool anchor_first)
{
    if (overlap(patch, 0, 1))
        return RANK_SUPERBLOCK;
    if (overlap(patch, anchor, 1))
        return anchor_first ? RANK_ANCHOR_FIRST : RANK_ANCHOR_LAST;
    if (patch->bytes >= 6 && memcmp(patch->data, "TREE", 4) == 0)
        return RANK_NODES + 255 - patch->data[5];
    if (patch->bytes >= 4 && memcmp(patch->data, "OHDR", 4) == 0)
        return RANK_HEADERS;
    return RANK_VALUES;
}

static bool any_overlap(const struct h5_patches *patches)
{
    for (int k = 0; k < patches->count; k++)
        for (int m = 0; m < k; m++)
            if (overlap(&patches->list[m], patches->list[k].address, patches->list[k].bytes))
                return true;
    return false;
}

void h5_patches_sort(struct h5_patches *patches, uint64_t anchor, bool anchor_first)
{
    if (any_overlap(patches)) /* then only the order of writing is right */
        return;
    for (int k = 1; k < patches->count; k++) {
        const struct h5_patch moved = patches->list[k];
        const int rank = rank_of(&moved, anchor, anchor_first);
        int to = k;
        for (; to > 0 && rank_of(&patches->list[to - 1], anchor, anchor_first) > rank; to--)
            patches->list[to] = patches->list[to - 1];
        patches->list[to] = moved;
    }
}
