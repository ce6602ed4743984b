/* Damaged inputs: whatever happens to the text of a file, reading it ends soon, with settings that
 * read back to themselves or with one message that names a place. Fixed seed; for use with the
 * sanitizers. */
#include "io/input.h"
#include "tests/check.h"

#include <dirent.h>

enum { MOST_SEEDS = 256, MOST_BYTES = 8192, ROUNDS = 3000 };

static struct {
    char *text;
    size_t bytes;
} seeds[MOST_SEEDS];
static int seed_count;

static uint64_t state = 20240607;

/* xorshift64: the same numbers everywhere. */
static size_t random_below(size_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (size_t)((state >> 16) % limit);
}

static void load_seeds(const char *folder)
{
    char path[8192];
    const char *end = strstr(__FILE__, "tests/unit/");
    (void)snprintf(path, sizeof path, "%.*s%s", end != NULL ? (int)(end - __FILE__) : 0, __FILE__,
                   folder);
    DIR *directory = opendir(path);
    if (!CHECK(directory != NULL))
        return;
    const size_t length = strlen(path);
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        if (strstr(entry->d_name, ".cfg") == NULL || seed_count == MOST_SEEDS)
            continue;
        (void)snprintf(path + length, sizeof path - length, "/%s", entry->d_name);
        FILE *file = fopen(path, "rb");
        char *text = malloc(MOST_BYTES);
        if (file == NULL || text == NULL)
            exit(EXIT_FAILURE);
        seeds[seed_count].bytes = fread(text, 1, MOST_BYTES, file);
        seeds[seed_count++].text = text;
        (void)fclose(file);
    }
    (void)closedir(directory);
}

/* Puts a piece of another seed, or signs that mean something, over a random place. */
static void damage(char *text, size_t *bytes)
{
    static const char *const pieces[] = {
        "{",    "}",          "(",     ")",        "[",     "]",        "\"",
        "=",    ";",          ",",     "\n",       "\\",    "/*",       "@include \"case.cfg\"\n",
        "010",  "3000000000", "1e400", "-",        "auto",  "\"auto\"", "\x01",
        "\xc3", "0.0",        "1e-30", "[1, 2.0]", "\\x41", "nan",      "wall"};
    const size_t at = random_below(*bytes + 1);
    const int other = (int)random_below((size_t)seed_count);
    const char *piece = pieces[random_below(sizeof pieces / sizeof pieces[0])];
    size_t length = strlen(piece);
    if (random_below(3) == 0 && seeds[other].bytes > 64) {
        length = random_below(64);
        piece = seeds[other].text + random_below(seeds[other].bytes - 64);
    }
    const size_t removed = random_below(3) == 0 ? random_below(*bytes - at + 1) % 40 : 0;
    if (*bytes - removed + length > MOST_BYTES)
        return;
    memmove(text + at + length, text + at + removed, *bytes - at - removed);
    memcpy(text + at, piece, length);
    *bytes = *bytes - removed + length;
}

static void write_file(const char *name, const char *text, size_t bytes)
{
    FILE *file = fopen(name, "wb");
    if (file == NULL || fwrite(text, 1, bytes, file) != bytes || fclose(file) != 0)
        exit(EXIT_FAILURE);
}

/* What input_write() makes of it, NULL when it is refused; the caller frees it. */
static char *read_and_write(const char *name)
{
    struct input input;
    char *text = NULL;
    size_t bytes = 0;
    if (input_read(name, NULL, 0, &input) == STATUS_OK) {
        FILE *file = open_memstream(&text, &bytes);
        if (file == NULL || input_write(&input, file) != STATUS_OK || fclose(file) != 0)
            exit(EXIT_FAILURE);
    } else {
        CHECK(strstr(error_message(), ".cfg:") != NULL);
    }
    input_free(&input);
    error_clear();
    return text;
}

int main(void)
{
    static char text[2 * MOST_BYTES];
    int accepted = 0;
    load_seeds("inputs");
    const int valid_count = seed_count;
    load_seeds("inputs/broken");
    CHECK(seed_count > 60);
    for (int round = 0; round < ROUNDS && valid_count > 0; round++) {
        const int from = random_below(2) == 0 ? valid_count : seed_count;
        const int seed = (int)random_below((size_t)from);
        size_t bytes = seeds[seed].bytes;
        memcpy(text, seeds[seed].text, bytes);
        for (size_t count = random_below(4); count > 0; count--)
            damage(text, &bytes);
        write_file("case.cfg", text, bytes);
        char *first = read_and_write("case.cfg");
        if (first != NULL) {
            write_file("again.cfg", first, strlen(first));
            char *second = read_and_write("again.cfg");
            CHECK_EQUAL_TEXT(first, second);
            free(second);
            accepted++;
        }
        free(first);
    }
    (void)printf("%d of %d texts are valid\n", accepted, ROUNDS);
    CHECK(accepted > ROUNDS / 50 && accepted < ROUNDS);
    for (int i = 0; i < seed_count; i++)
        free(seeds[i].text);
    return check_result();
}
