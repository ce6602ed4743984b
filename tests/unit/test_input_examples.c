/* The input files of the repository: those in inputs/ are valid, those in inputs/broken/ are told.
 */
#include "io/input.h"
#include "tests/check.h"

#include <dirent.h>

static void source_path(char *to, size_t bytes, const char *path)
{
    const char *end = strstr(__FILE__, "tests/unit/test_input_examples.c");
    const int root = end != NULL ? (int)(end - __FILE__) : 0;
    (void)snprintf(to, bytes, "%.*s%s", root, __FILE__, path);
}

static void the_examples_are_valid(void)
{
    static const char *const names[] = {"plate", "csc", "csc_2000", "bottle"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char name[64], path[4096];
        struct input input;
        (void)snprintf(name, sizeof name, "inputs/%s.cfg", names[i]);
        source_path(path, sizeof path, name);
        CHECK_OK(input_read(path, NULL, 0, &input));
        input_free(&input);
        error_clear();
    }
}

/* Its first lines name every message, in order; without the folder. */
static void expect_messages(FILE *file)
{
    static const char mark[] = "# expect: ";
    char line[512];
    int count = 0;
    while (fgets(line, sizeof line, file) != NULL && strncmp(line, mark, strlen(mark)) == 0) {
        line[strcspn(line, "\n")] = '\0';
        CHECK(strlen(line) > strlen(mark) + 10);
        if (CHECK(count < error_count()))
            CHECK_CONTAINS(error_message_at(count), line + strlen(mark));
        count++;
    }
    CHECK(count > 0);
    CHECK_EQUAL_INT(error_count(), count);
}

/* Each file of inputs/broken/ says in its first lines what must be said about it. */
static void broken_inputs_get_their_message(void)
{
    char folder[4096];
    source_path(folder, sizeof folder, "inputs/broken");
    DIR *directory = opendir(folder);
    if (!CHECK(directory != NULL))
        return;
    int count = 0;
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        if (strstr(entry->d_name, ".cfg") == NULL)
            continue;
        char path[5000];
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        FILE *file = fopen(path, "r");
        if (!CHECK(file != NULL))
            break;
        struct input input;
        CHECK_FAILS(input_read(path, NULL, 0, &input), STATUS_INPUT);
        expect_messages(file);
        (void)fclose(file);
        input_free(&input);
        error_clear();
        count++;
    }
    (void)closedir(directory);
    CHECK(count >= 60);
}

int main(void)
{
    the_examples_are_valid();
    broken_inputs_get_their_message();
    return check_result();
}
