/* What the table of settings allows: ranges, and which settings have a place in a group. */
#include <stdio.h>
#include <string.h>

#include "io/schema.h"

bool setting_in_range(const struct setting *setting, double value)
{
    if (!(value >= setting->range.least && value <= setting->range.most))
        return false;
    return !setting->range.is_open || value > setting->range.least;
}

void setting_range_text(const struct setting *setting, char *to, size_t bytes)
{
    const double least = setting->range.least, most = setting->range.most;
    const char *unit = setting->unit[0] != '\0' ? " " : "";
    if (setting->range.is_open)
        (void)snprintf(to, bytes, "above %.15g and at most %.15g%s%s", least, most, unit,
                       setting->unit);
    else if (most < SETTING_LARGEST)
        (void)snprintf(to, bytes, "%.15g to %.15g%s%s", least, most, unit, setting->unit);
    else if (least <= -SETTING_LARGEST)
        (void)snprintf(to, bytes, "at most %.15g%s%s in size", most, unit, setting->unit);
    else if (least > 0.0)
        (void)snprintf(to, bytes, "above 0%s%s", unit, setting->unit);
    else
        (void)snprintf(to, bytes, "at least %.15g%s%s", least, unit, setting->unit);
}

static bool flag_at(const void *values, size_t one_plus_offset)
{
    bool flag = false;
    memcpy(&flag, (const char *)values + one_plus_offset - 1, sizeof flag);
    return flag;
}

bool setting_applies(const struct setting_group *group, const struct setting *setting,
                     const void *values)
{
    if (setting->given != 0)
        return flag_at(values, setting->given);
    if (setting->unless != 0)
        return !flag_at(values, setting->unless) &&
               (setting->nor == 0 || !flag_at(values, setting->nor));
    if (setting->only_for == 0)
        return true;
    unsigned type = 0; /* of the group: its first setting */
    memcpy(&type, (const char *)values + group->settings[0].offset, sizeof type);
    return (setting->only_for >> type & 1U) != 0;
}
