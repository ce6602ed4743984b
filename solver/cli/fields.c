#include "solver/cli/fields.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "io/series_variable.h"

enum status fields_list(const char *path)
{
    static const char *const shapes[] = {
        [SERIES_FIELD] = "(time, y, x)", [SERIES_STILL] = "(y, x)", [SERIES_OVER_TIME] = "(time)"};
    struct series *series = NULL;
    struct series_names names = {0};
    struct series_variable variable = {0};
    char shown[3][256];
    enum status status = STATUS_OK;
    TRY_DONE(series_open(path, &series));
    TRY_DONE(series_names_read(series, &names));
    for (int k = 0; k < names.count; k++) {
        series_variable_close(&variable);
        TRY_DONE(series_variable_open(series, names.names[k], &variable));
        text_escape(shown[0], sizeof shown[0], variable.name);
        text_escape(shown[1], sizeof shown[1], variable.unit);
        text_escape(shown[2], sizeof shown[2], variable.long_name);
        printf("%-18s %-13s %-8s %s\n", shown[0], shapes[variable.kind],
               shown[1][0] != '\0' ? shown[1] : "1", shown[2]);
    }
done:
    series_variable_close(&variable);
    series_names_free(&names);
    series_close(series);
    return status;
}

static bool is_other(const char *name, const char *chosen)
{
    return strcmp(name, chosen) != 0 && strcmp(name, output_field_names[OUTPUT_MATERIAL]) != 0;
}

void fields_say_others(const struct series *series, const char *chosen)
{
    int others = 0;
    for (int k = 0; k < series_field_count(series); k++)
        others += is_other(series_field_name(series, k), chosen) ? 1 : 0;
    if (others == 0)
        return;
    printf("field     %s; there %s", chosen, others == 1 ? "is" : "are");
    for (int k = 0, said = 0; k < series_field_count(series); k++) {
        const char *name = series_field_name(series, k);
        if (is_other(name, chosen))
            printf("%s %s", said++ > 0 ? "," : "", name);
    }
    printf(" too (--field)\n");
}
