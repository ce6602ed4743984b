/* A small valid input for tests of what is worked out from it, without a file. */
#ifndef ISOTHERM_TESTS_PLAN_INPUT_H
#define ISOTHERM_TESTS_PLAN_INPUT_H

#include "io/input.h"

static char plan_input_where[] = "test.cfg:1: time.step";
static char plan_input_name[] = "m";
static struct input_material plan_input_material;

/* A square of 1 m with insulated sides, k = rho c = 1, one second, one rank. Members are changed as
 * needed; nothing is to be freed. */
static inline struct input plan_input(int64_t nx, int64_t ny)
{
    plan_input_material = (struct input_material){
        .name = plan_input_name,
        .conductivity = {{.number = 1.0}, {.number = 1.0}},
        .density = {.number = 1.0},
        .heat_capacity = {.number = 1.0},
    };
    return (struct input){
        .size = {1.0, 1.0},
        .cells = {nx, ny},
        .materials = &plan_input_material,
        .material_count = 1,
        .initial_temperature = {.kind = FIELD_NUMBER, .number = 300.0},
        .time = {.end = 1.0, .safety = 1.0, .step_where = plan_input_where},
        .run = {.ranks = 1},
    };
}

#endif
