#include "base/error.h"
#include "tests/check.h"

static void exit_codes_are_those_of_the_manual(void)
{
    /* docs: 0 done, 1 differs, 2 input, 3 not finite, 4 process, 5 files, 6 device, 75 stopped */
    static const struct {
        enum status status;
        int code;
        const char *name;
    } cases[] = {
        {STATUS_OK, 0, "STATUS_OK"},
        {STATUS_DIFFERS, 1, "STATUS_DIFFERS"},
        {STATUS_INPUT, 2, "STATUS_INPUT"},
        {STATUS_NOT_FINITE, 3, "STATUS_NOT_FINITE"},
        {STATUS_PROCESS, 4, "STATUS_PROCESS"},
        {STATUS_FILE, 5, "STATUS_FILE"},
        {STATUS_DEVICE, 6, "STATUS_DEVICE"},
        {STATUS_MEMORY, 6, "STATUS_MEMORY"},
        {STATUS_STOPPED, 75, "STATUS_STOPPED"},
        {STATUS_INTERRUPTED, 130, "STATUS_INTERRUPTED"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_EQUAL_INT(status_exit_code(cases[i].status), cases[i].code);
        CHECK_EQUAL_TEXT(status_name(cases[i].status), cases[i].name);
    }
}

static void every_status_has_a_text_and_an_exit_code(void)
{
    for (int i = 0; i < STATUS_COUNT; i++) {
        const enum status status = (enum status)i;
        CHECK(strlen(status_text(status)) > 0);
        CHECK((status_exit_code(status) == 0) == (status == STATUS_OK));
    }
}

static void the_first_message_wins(void)
{
    CHECK_EQUAL_TEXT(error_message(), "");
    CHECK_EQUAL_INT(fail(STATUS_FILE, "%s: disk full", "run.h5"), STATUS_FILE);
    CHECK_EQUAL_INT(fail(STATUS_PROCESS, "rank 1 is gone"), STATUS_PROCESS);
    CHECK_EQUAL_TEXT(error_message(), "run.h5: disk full");
    error_clear();
    CHECK_EQUAL_TEXT(error_message(), "");
    CHECK_EQUAL_INT(fail(STATUS_PROCESS, "rank 1 is gone"), STATUS_PROCESS);
    CHECK_EQUAL_TEXT(error_message(), "rank 1 is gone");
    error_clear();
}

static void several_are_kept_by_their_places(void)
{
    static const int places[] = {30, 10, 20, 10};
    static const char *const expected[] = {"mistake 1", "mistake 3", "mistake 2", "mistake 0"};
    error_go_on(5); /* nothing to keep */
    CHECK_EQUAL_INT(error_count(), 0);
    for (int i = 0; i < 4; i++) {
        CHECK_EQUAL_INT(fail(STATUS_INPUT, "mistake %d", i), STATUS_INPUT);
        CHECK_EQUAL_INT(fail(STATUS_INPUT, "what follows"), STATUS_INPUT);
        error_go_on(places[i]);
    }
    CHECK_EQUAL_INT(error_count(), 4);
    for (int i = 0; i < 4; i++)
        CHECK_EQUAL_TEXT(error_message_at(i), expected[i]);
    CHECK_EQUAL_TEXT(error_message(), "mistake 1");
    CHECK_EQUAL_INT(fail(STATUS_FILE, "after them"), STATUS_FILE);
    CHECK_EQUAL_INT(error_count(), 5);
    CHECK_EQUAL_TEXT(error_message_at(4), "after them");
    error_clear();
    CHECK_EQUAL_INT(error_count(), 0);
    CHECK_EQUAL_TEXT(error_message(), "");
    for (int i = 0; i < 15; i++) {
        CHECK(error_is_cut() == (i > ERROR_MOST));
        CHECK_EQUAL_INT(fail(STATUS_INPUT, "mistake %d", i), STATUS_INPUT);
        error_go_on(100 - i);
    }
    CHECK_EQUAL_INT(error_count(), ERROR_MOST);
    CHECK_EQUAL_TEXT(error_message(), "mistake 9");
    error_clear();
    CHECK(!error_is_cut());
}

/* Nor is what ends the program lost behind as many mistakes as are kept. */
static void another_failure_after_the_last_one_is_told(void)
{
    for (int i = 0; i < ERROR_MOST; i++) {
        CHECK_EQUAL_INT(fail(STATUS_INPUT, "mistake %d", i), STATUS_INPUT);
        error_go_on(i);
    }
    CHECK_EQUAL_INT(fail(STATUS_MEMORY, "no memory"), STATUS_MEMORY);
    CHECK_EQUAL_INT(error_count(), ERROR_MOST + 1);
    CHECK_EQUAL_TEXT(error_message_at(ERROR_MOST), "no memory");
    CHECK(!error_is_cut());
    error_clear();
}

static enum status parts(enum status second, enum status third, int *count)
{
    enum status status = STATUS_OK;
    TRY_EACH(STATUS_OK);
    TRY_EACH(second);
    TRY_EACH(third);
    (*count)++;
    return status;
}

static void other_parts_are_looked_at_after_a_wrong_one(void)
{
    int count = 0;
    CHECK_EQUAL_INT(parts(STATUS_OK, STATUS_OK, &count), STATUS_OK);
    CHECK_EQUAL_INT(parts(STATUS_INPUT, STATUS_OK, &count), STATUS_INPUT);
    CHECK_EQUAL_INT(count, 2);
    CHECK_EQUAL_INT(parts(STATUS_INPUT, STATUS_MEMORY, &count), STATUS_MEMORY);
    CHECK_EQUAL_INT(parts(STATUS_FILE, STATUS_OK, &count), STATUS_FILE);
    CHECK_EQUAL_INT(count, 2);
}

static void a_message_cannot_drive_a_terminal(void)
{
    CHECK_EQUAL_INT(fail(STATUS_FILE, "%s", "a\nisotherm: error: b\x1b[2J"), STATUS_FILE);
    CHECK_EQUAL_TEXT(error_message(), "a\\nisotherm: error: b\\x1B[2J");
    error_clear();
}

static void a_long_message_is_cut(void)
{
    char name[2 * ERROR_MESSAGE_BYTES];
    memset(name, 'a', sizeof name);
    name[sizeof name - 1] = '\0';
    CHECK_EQUAL_INT(fail(STATUS_FILE, "%s", name), STATUS_FILE);
    CHECK_EQUAL_INT((int64_t)strlen(error_message()), ERROR_MESSAGE_BYTES - 1);
    error_clear();
}

static int reached;

static enum status steps(enum status first)
{
    TRY(first);
    reached++;
    return STATUS_OK;
}

static enum status steps_with_cleanup(enum status first)
{
    enum status status = STATUS_OK;
    TRY_DONE(first);
    reached++;
done:
    reached += 10;
    return status;
}

static void a_failure_is_passed_on(void)
{
    CHECK_EQUAL_INT(steps(STATUS_OK), STATUS_OK);
    CHECK_EQUAL_INT(reached, 1);
    CHECK_EQUAL_INT(steps(STATUS_DEVICE), STATUS_DEVICE);
    CHECK_EQUAL_INT(reached, 1);
    CHECK_EQUAL_INT(steps_with_cleanup(STATUS_DEVICE), STATUS_DEVICE);
    CHECK_EQUAL_INT(reached, 11);
    CHECK_EQUAL_INT(steps_with_cleanup(STATUS_OK), STATUS_OK);
    CHECK_EQUAL_INT(reached, 22);
}

int main(void)
{
    exit_codes_are_those_of_the_manual();
    every_status_has_a_text_and_an_exit_code();
    the_first_message_wins();
    several_are_kept_by_their_places();
    another_failure_after_the_last_one_is_told();
    other_parts_are_looked_at_after_a_wrong_one();
    a_message_cannot_drive_a_terminal();
    a_long_message_is_cut();
    a_failure_is_passed_on();
    return check_result();
}
