/* isotherm bench: what this machine does, each figure next to the copy bandwidth of the same run.
 */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "base/version.h"
#include "ipc/control.h"
#include "solver/cli/bench_loop.h"
#include "solver/cli/commands.h"
#include "solver/cli/options.h"

static const char help[] =
    "usage: isotherm bench [OPTIONS]\n\n"
    "Measures copy bandwidth, cell updates per second with one and with several steps per sweep "
    "of\n"
    "memory, the scaling over processes, and what an exchange costs.\n\n"
    "  --backend NAME     auto, cuda or cpu\n"
    "  --cells NXxNY      cells of the domain (default 4096x4096 on CPUs, 16384x16384 on GPUs)\n"
    "  --ranks N          most processes (default one per GPU or core)\n"
    "  --seconds S        of each measurement (default 0.5)\n"
    "  --json             one JSON object instead of a table\n\n"
    "  --one              only one measurement, with --ranks processes and\n"
    "  --depth N          steps per exchange (default auto)\n"
    "  --precision NAME   double or single\n"
    "  --transport NAME   auto, ipc or host\n";

struct bench {
    struct loop_case loop; /* what all measurements share, or the only one */
    int most_ranks;        /* 0: one per device */
    double seconds;
    bool is_json, is_help, is_one;
    double bytes_per_s; /* of a copy on one device */
    struct json json;
};

static enum status take_count(const char *option, const char *text, int64_t most, int64_t *count)
{
    if (text_to_int64(text, count) && *count >= 1 && *count <= most)
        return STATUS_OK;
    return fail(STATUS_INPUT, "--%s %s: give a whole number from 1 to %lld", option, text,
                (long long)most);
}

static enum status take_cells(const char *text, struct loop_case *loop)
{
    char word[64];
    const char *cross = strchr(text, 'x');
    if (cross == NULL || (size_t)(cross - text) >= sizeof word)
        return fail(STATUS_INPUT, "--cells %s: write it as NXxNY, such as 4096x2048", text);
    memcpy(word, text, (size_t)(cross - text));
    word[cross - text] = '\0';
    TRY(take_count("cells", word, 1 << 20, &loop->nx));
    return take_count("cells", cross + 1, 1 << 20, &loop->ny);
}

static enum status take_option(int option, char **argv, struct bench *bench)
{
    int64_t count = 0;
    switch (option) {
    case 'b':
        bench->loop.backend = optarg;
        return STATUS_OK;
    case 'c':
        return take_cells(optarg, &bench->loop);
    case 'n':
        TRY(take_count("ranks", optarg, CONTROL_MAX_RANKS, &count));
        bench->most_ranks = (int)count;
        return STATUS_OK;
    case 'd':
        TRY(take_count("depth", optarg, 64, &count));
        bench->loop.depth = (int)count;
        return STATUS_OK;
    case 'p':
        bench->loop.is_double = strcmp(optarg, "double") == 0;
        if (!bench->loop.is_double && strcmp(optarg, "single") != 0)
            return fail(STATUS_INPUT, "--precision %s: use double or single", optarg);
        return STATUS_OK;
    case 't':
        bench->loop.transport = optarg;
        return STATUS_OK;
    case 's':
        if (!text_to_double(optarg, &bench->seconds) || !(bench->seconds > 0.0))
            return fail(STATUS_INPUT, "--seconds %s: give a number above 0", optarg);
        return STATUS_OK;
    case 'j':
        bench->is_json = true;
        return STATUS_OK;
    case '1':
        bench->is_one = true;
        return STATUS_OK;
    case 'h':
        bench->is_help = true;
        return STATUS_OK;
    default:
        return options_complain("bench", option, argv);
    }
}

static enum status parse(int argc, char **argv, struct bench *bench)
{
    static const struct option options[] = {{"backend", required_argument, NULL, 'b'},
                                            {"cells", required_argument, NULL, 'c'},
                                            {"ranks", required_argument, NULL, 'n'},
                                            {"seconds", required_argument, NULL, 's'},
                                            {"depth", required_argument, NULL, 'd'},
                                            {"precision", required_argument, NULL, 'p'},
                                            {"transport", required_argument, NULL, 't'},
                                            {"json", no_argument, NULL, 'j'},
                                            {"one", no_argument, NULL, '1'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    *bench = (struct bench){.loop = {.backend = "auto", .is_double = true}, .seconds = 0.5};
    opterr = 0;
    TRY(options_check_names(argc, argv, ":h", options));
    for (int option = getopt_long(argc, argv, ":h", options, NULL); option != -1;
         option = getopt_long(argc, argv, ":h", options, NULL))
        TRY(take_option(option, argv, bench));
    if (optind != argc)
        return fail(STATUS_INPUT, "isotherm bench takes options only; see isotherm bench --help");
    return STATUS_OK;
}

static void print_result(struct bench *bench, const struct loop_case *loop,
                         const struct loop_result *result)
{
    /* One sweep of memory reads and writes each cell once. CPU ranks share one memory, so their
     * limit is not a multiple of one rank's copy; the ratio is to one device. */
    const double limit = bench->bytes_per_s / (loop->is_double ? 16.0 : 8.0);
    const char *precision = loop->is_double ? "double" : "single";
    if (!bench->is_json) {
        printf("%-9s %6lld x %-6lld %5d %8d %12.4g %12.2f %14.4g\n", precision, (long long)loop->nx,
               (long long)loop->ny, result->ranks, result->depth, 1e-9 * result->updates_per_s,
               result->updates_per_s / limit, 1e6 * result->exchange_s);
        (void)fflush(stdout);
        return;
    }
    json_object(&bench->json, NULL);
    json_text(&bench->json, "precision", precision);
    json_integer(&bench->json, "cells_x", loop->nx);
    json_integer(&bench->json, "cells_y", loop->ny);
    json_integer(&bench->json, "ranks", result->ranks);
    json_integer(&bench->json, "steps_per_exchange", result->depth);
    json_number(&bench->json, "update_rate_cells_per_s", result->updates_per_s);
    json_number(&bench->json, "ratio_to_one_sweep_per_step", result->updates_per_s / limit);
    json_number(&bench->json, "exchange_s", result->exchange_s);
    json_object_end(&bench->json);
}

static void print_head(struct bench *bench, const struct loop_result *first)
{
    if (!bench->is_json) {
        printf("isotherm %s on %s, transport %s; copy on one device %.4g GB/s (read + written)\n",
               version_text(), first->backend, first->transport, 1e-9 * bench->bytes_per_s);
        printf("%-9s %-15s %5s %8s %12s %12s %14s\n", "precision", "  cells", "ranks", "steps/ex",
               "GLUPS", "of 1 sweep", "us/exchange");
        return;
    }
    json_start(&bench->json, stdout);
    json_object(&bench->json, NULL);
    json_text(&bench->json, "version", version_text());
    json_text(&bench->json, "backend", first->backend);
    json_text(&bench->json, "transport", first->transport);
    json_integer(&bench->json, "devices", first->devices);
    json_number(&bench->json, "copy_bytes_per_s", bench->bytes_per_s);
    json_array(&bench->json, "results");
}

static enum status measure(struct bench *bench, const struct loop_case *loop)
{
    struct loop_result result = {0};
    TRY(bench_loop(loop, bench->seconds, &result));
    print_result(bench, loop, &result);
    return STATUS_OK;
}

/* Both precisions, one and the favoured number of steps per exchange, 1, 2, 4, ... ranks; then
 * domains so small that next to nothing but the exchange is left. */
static enum status measure_all(struct bench *bench)
{
    struct loop_case loop = bench->loop;
    for (int single = 0; single < 2; single++) {
        for (int several = 0; several < 2; several++) {
            for (loop.ranks = 1; loop.ranks <= bench->most_ranks; loop.ranks *= 2) {
                loop.depth = several ? 0 : 1;
                loop.is_double = single == 0;
                TRY(measure(bench, &loop));
            }
        }
    }
    loop.depth = 1;
    loop.is_double = true;
    for (loop.ranks = 1; loop.ranks <= bench->most_ranks; loop.ranks *= 2) {
        loop.nx = 64;
        loop.ny = 64 * loop.ranks;
        TRY(measure(bench, &loop));
    }
    return STATUS_OK;
}

/* A short run tells the backend and how many devices there are; both fill in what was left open. */
static enum status prepare(struct bench *bench, struct loop_result *first)
{
    const struct loop_case small = {
        .backend = bench->loop.backend, .nx = 256, .ny = 256, .ranks = 1, .is_double = true};
    TRY(bench_loop(&small, 1e-3, first));
    TRY(bench_copy(bench->loop.backend, &bench->bytes_per_s));
    if (bench->loop.nx == 0)
        bench->loop.nx = bench->loop.ny = strcmp(first->backend, "cpu") == 0 ? 4096 : 16384;
    if (bench->most_ranks == 0)
        bench->most_ranks = first->devices;
    bench->loop.ranks = bench->most_ranks;
    return STATUS_OK;
}

enum status command_bench(int argc, char **argv)
{
    struct bench bench;
    struct loop_result first = {0};
    TRY(parse(argc, argv, &bench));
    if (bench.is_help) {
        fputs(help, stdout);
        return STATUS_OK;
    }
    TRY(prepare(&bench, &first));
    print_head(&bench, &first);
    TRY(bench.is_one ? measure(&bench, &bench.loop) : measure_all(&bench));
    if (bench.is_json) {
        json_array_end(&bench.json);
        json_object_end(&bench.json);
        putchar('\n');
    }
    return STATUS_OK;
}
