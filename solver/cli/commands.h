/* The subcommands. Each parses its own arguments (argv[0] is the command's name), does the work and
 * returns; main.c turns a failure into one line and the exit code. Only solver/cli/ prints. */
#ifndef ISOTHERM_SOLVER_CLI_COMMANDS_H
#define ISOTHERM_SOLVER_CLI_COMMANDS_H

#include "base/error.h"

enum status command_run(int argc, char **argv);
enum status command_check(int argc, char **argv);
enum status command_info(int argc, char **argv);
enum status command_plot(int argc, char **argv);
enum status command_export(int argc, char **argv);
enum status command_compare(int argc, char **argv);
enum status command_devices(int argc, char **argv);
enum status command_bench(int argc, char **argv);

#endif
