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
    "  --backend NAME   auto, cuda or cpu\n"
    "  --cells N        a square of N x N cells (default 4096 on CPUs, 16384 on GPUs)\n"
    "  --ranks N        most processes (default one per GPU or core)\n"
    "  --seconds S      of each measurement (default 0.5)\n"
    "  --json           one JSON object instead of a table\n";

struct bench {
    const char *backend;
    int64_t cells, ranks;
    double seconds;
    bool is_json, is_help;
    double bytes_per_s; /* of a copy on one device */
    struct json json;
};

static enum status take_option(int option, char **argv, struct bench *bench)
{
    if (option == 'b') {
        bench->backend = optarg;
    } else if (option == 'j') {
        bench->is_json = true;
    } else if (option == 'h') {
        bench->is_help = true;
    } else if (option == 'c') {
        if (!text_to_int64(optarg, &bench->cells) || bench->cells < 1 || bench->cells > 1 << 20)
            return fail(STATUS_INPUT, "--cells %s: give a whole number up to %d", optarg, 1 << 20);
    } else if (option == 'n') {
        if (!text_to_int64(optarg, &bench->ranks) || bench->ranks < 1 ||
            bench->ranks > CONTROL_MAX_RANKS)
            return fail(STATUS_INPUT, "--ranks %s: give a whole number up to %d", optarg,
                        CONTROL_MAX_RANKS);
    } else if (option == 's') {
        if (!text_to_double(optarg, &bench->seconds) || !(bench->seconds > 0.0))
            return fail(STATUS_INPUT, "--seconds %s: give a number above 0", optarg);
    } else {
        return options_complain("bench", option, argv);
    }
    return STATUS_OK;
}

static enum status parse(int argc, char **argv, struct bench *bench)
{
    static const struct option options[] = {{"backend", required_argument, NULL, 'b'},
                                            {"cells", required_argument, NULL, 'c'},
                                            {"ranks", required_argument, NULL, 'n'},
                                            {"seconds", required_argument, NULL, 's'},
                                            {"json", no_argument, NULL, 'j'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    *bench = (struct bench){.backend = "auto", .seconds = 0.5};
    opterr = 0;
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
    for (int single = 0; single < 2; single++) {
        for (int several = 0; several < 2; several++) {
            for (int ranks = 1; ranks <= bench->ranks; ranks *= 2) {
                const struct loop_case loop = {.backend = bench->backend,
                                               .nx = bench->cells,
                                               .ny = bench->cells,
                                               .ranks = ranks,
                                               .depth = several ? 0 : 1,
                                               .is_double = single == 0};
                TRY(measure(bench, &loop));
            }
        }
    }
    for (int ranks = 1; ranks <= bench->ranks; ranks *= 2) {
        const struct loop_case loop = {.backend = bench->backend,
                                       .nx = 64,
                                       .ny = 64 * ranks,
                                       .ranks = ranks,
                                       .depth = 1,
                                       .is_double = true};
        TRY(measure(bench, &loop));
    }
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
    /* A short run tells the backend and how many devices there are. */
    TRY(bench_loop(&(struct loop_case){.backend = bench.backend, .nx = 256, .ny = 256, .ranks = 1},
                   1e-3, &first));
    TRY(bench_copy(bench.backend, &bench.bytes_per_s));
    if (bench.cells == 0)
        bench.cells = strcmp(first.backend, "cpu") == 0 ? 4096 : 16384;
    if (bench.ranks == 0)
        bench.ranks = first.devices;
    print_head(&bench, &first);
    TRY(measure_all(&bench));
    if (bench.is_json) {
        json_array_end(&bench.json);
        json_object_end(&bench.json);
        putchar('\n');
    }
    return STATUS_OK;
}
