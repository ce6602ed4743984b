#include "io/input_examples.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *group, *text;
} examples[] = {
    {"Entries of `materials`",
     "materials = (\n"
     "  { name = \"copper\"; conductivity = 401.0; density = 8960.0; heat_capacity = 385.0; },\n"
     "  { name = \"wood\"; conductivity = [0.12, 0.3]; density = 500.0; heat_capacity = 1600.0; "
     "},\n"
     "  {                                    # from cell to cell\n"
     "    name = \"graded\";\n"
     "    conductivity  = { file = \"k.dat\"; };\n"
     "    density       = \"2000 + 500*x\";\n"
     "    heat_capacity = 800.0;\n"
     "  }\n"
     ");\n"},
    {"Entries of `geometry.shapes`",
     "geometry = {\n"
     "  image  = \"plate.png\";                # level 0 is copper, 1 wood, 2 graded\n"
     "  shapes = (                           # over the image\n"
     "    { type = \"rectangle\"; from = [0.05, 0.02]; to = [0.1, 0.08]; material = \"wood\"; },\n"
     "    { type = \"circle\"; centre = [0.15, 0.05]; radius = 0.01; material = \"copper\"; },\n"
     "    { type = \"ellipse\"; centre = [0.1, 0.05]; radii = [0.02, 0.01]; material = \"wood\"; "
     "},\n"
     "    { type = \"polygon\"; points = ( [0.0, 0.0], [0.03, 0.0], [0.0, 0.03] ); material = "
     "\"graded\"; }\n"
     "  );\n"
     "};\n"},
    {"Entries of `contacts`",
     "contacts = (\n"
     "  { material = \"copper\"; beside = \"wood\"; resistance = 1.0e-4; }\n"
     ");\n"},
    {"Entries of `sources`",
     "sources = (\n"
     "  { type = \"uniform\"; power_density = 1.0e6; region = { material = \"copper\"; }; },\n"
     "  { type = \"uniform\"; power_density = 2.0e6; factor = \"t < 1 ? 1 : 0\";\n"
     "    region = { from = [0.0, 0.0]; to = [0.01, 0.01]; }; },\n"
     "  { type = \"gaussian\"; power = 200.0; radius = 0.002;\n"
     "    path = ( [0.0, 0.02, 0.05], [2.0, 0.18, 0.05] ); },\n"
     "  { type = \"file\"; file = \"power.dat\"; },\n"
     "  { type = \"floorplan\"; floorplan = \"chip.flp\"; trace = \"chip.ptrace\";\n"
     "    interval = 0.01; thickness = 1.5e-4; past_end = \"repeat\"; }\n"
     ");\n"},
    {"Entries of `fixed`",
     "fixed = (\n"
     "  { region = { side = \"left\"; }; temperature = 373.15; },\n"
     "  { region = { material = \"wood\"; }; },  # each cell at its initial value\n"
     "  { region = { from = [0.1, 0.04]; to = [0.12, 0.06]; }; temperature = 300.0; }\n"
     ");\n"},
    {"A field from a file",
     "initial = { temperature = { file = \"start.dat\"; from_top = true; }; };\n"},
};

const char *input_example(const char *group)
{
    for (size_t k = 0; k < sizeof examples / sizeof examples[0]; k++)
        if (strcmp(examples[k].group, group) == 0)
            return examples[k].text;
    return NULL;
}
