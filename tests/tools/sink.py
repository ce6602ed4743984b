"""The kitchen sink: one input with everything that coefficients can be, for tests of equal bits."""
import random

# All that changes with time; the material is there by itself.
FIELDS = ["temperature", "heat_flux_x", "heat_flux_y", "gradient"]


def write_files(nx, ny):
    """The files that the input names, in the working folder."""
    random.seed(7)
    with open("power.dat", "w", encoding="utf-8") as file:
        file.write(f"# {nx} {ny}\n")
        for _ in range(ny):
            file.write(" ".join(repr(random.uniform(-1e6, 3e6)) for _ in range(nx)) + "\n")
    with open("density.dat", "w", encoding="utf-8") as file:
        for _ in range(nx * ny):
            file.write(repr(random.uniform(6000.0, 9000.0)) + "\n")
    with open("grains.dat", "w", encoding="utf-8") as file:
        for _ in range(nx * ny):
            file.write(random.choice("0001") + "\n")
    width, height = 0.1, 0.1 * ny / nx
    blocks = (("core", 0.31, 0.27, 0.123, 0.211), ("cache", 0.4, 0.27, 0.433, 0.211),
              ("io", 0.71, 0.113, 0.123, 0.481), ("tiny", 0.001, 0.002, 0.9, 0.9))
    with open("chip.flp", "w", encoding="utf-8") as file:
        file.write("# name width height left bottom\n")
        for name, w, h, x, y in blocks:
            file.write(f"{name}\t{w * width!r}\t{h * height!r}\t{x * width!r}\t{y * height!r}\n")
    with open("chip.ptrace", "w", encoding="utf-8") as file:
        file.write("io\ttiny\tcore\tcache\n")
        for _ in range(9):
            file.write("\t".join(repr(random.uniform(0, 30)) for _ in range(4)) + "\n")
    with open("wall.csv", "w", encoding="utf-8") as file:
        file.write("time,temperature\n0,371.3\n0.31,402.7\n0.31,288.1\n0.8,333.3\n")


def settings(nx, ny, precision, backend, periodic=False, duration=1.0, scale=1.0,
             scheme="euler", cells=False):
    """Three materials (one does not conduct), sources of all kinds, loss, walls that change along
    their length and in time. `scale` makes the conductivities fit the wanted number of steps. With
    `cells` properties go by cell, from files and expressions, and so does the first material."""
    width, height = 0.1, 0.1 * ny / nx
    walls = {
        "left": {"type": "temperature", "value": {"table": "wall.csv"}},
        "right": {"type": "convection", "coefficient": "30+20*sin(90*s)", "ambient": "250+70*t"},
        "bottom": {"type": "flux", "value": "1500*cos(70*s)*t"},
        "top": {"type": "radiation", "emissivity": "0.4+3*s+0.2*t", "ambient": "900+2e4*s-300*t"},
    }
    if periodic:
        walls["left"] = walls["right"] = {"type": "periodic"}
    base = {"name": "base", "conductivity": scale, "density": 7000.0, "heat_capacity": 450.0}
    geometry, contacts = {}, ()
    if cells:
        base.update(conductivity=(f"{0.8 * scale!r}*(1+0.2*sin(300*x)*cos(210*y))",
                                  f"{0.9 * scale!r}*(1-x*y)"),
                    density={"file": "density.dat"}, heat_capacity="450+900*x")
        geometry["material"] = {"file": "grains.dat"}
        contacts = ({"material": "grain", "beside": "base", "resistance": 2e-5},)
    return {
        "domain": {"size": [width, height], "cells": [nx, ny]},
        "materials": (
            base,
            {"name": "grain", "conductivity": [0.7 * scale, 0.3 * scale], "density": 5100.0,
             "heat_capacity": 613.0},
            {"name": "void", "conductivity": 0.0, "density": 1.3, "heat_capacity": 1e6},
            {"name": "pin", "conductivity": 0.9 * scale, "density": 8000.0, "heat_capacity": 400.0}),
        "contacts": contacts,
        "geometry": {**geometry, "shapes": (
            {"type": "ellipse", "centre": [0.3 * width, 0.4 * height],
             "radii": [0.25 * width, 0.3 * height], "material": "grain"},
            {"type": "polygon", "points": ([0.5 * width, 0.2 * height], [0.9 * width, 0.3 * height],
                                           [0.6 * width, 0.9 * height]), "material": "void"},
            {"type": "rectangle", "from": [0.0, 0.7 * height], "to": [0.2 * width, height],
             "material": "grain"},
            {"type": "circle", "centre": [0.8 * width, 0.8 * height], "radius": 0.1 * width,
             "material": "pin"})},
        "fixed": ({"region": {"material": "pin"}},
                  {"region": {"from": [0.3 * width, 0.3 * height], "to": [0.4 * width, 0.5 * height]},
                   "temperature": 301.7}),
        "initial": {"temperature": "300+25*sin(1e4*x+7e3*y*y)+3*cos(9e5*x*y)"},
        "boundary": walls,
        "sources": (
            {"type": "uniform", "power_density": 1e6, "factor": "1+sin(9*t)"},
            {"type": "uniform", "power_density": 3e6,
             "region": {"from": [0.1 * width, 0.1 * height], "to": [0.6 * width, 0.6 * height]}},
            {"type": "uniform", "power_density": -2e6, "region": {"material": "grain"},
             "factor": {"table": "wall.csv"}},
            {"type": "gaussian", "power": 4e3, "radius": 0.02, "factor": "exp(-t)",
             "path": ([0.1, 0.01, 0.01], [0.7, 0.09, 0.8 * height])},
            {"type": "gaussian", "power": -1e3, "radius": 0.005, "path": ([0.0, 0.05, 0.02],)},
            {"type": "file", "file": "power.dat", "factor": "cos(3*t)"},
            {"type": "file", "file": "power.dat", "from_top": True, "factor": 0.3},
            {"type": "floorplan", "floorplan": "chip.flp", "trace": "chip.ptrace",
             "interval": 0.0713, "thickness": 1e-3, "past_end": "repeat", "factor": "1-0.4*t"},
            {"type": "floorplan", "floorplan": "chip.flp", "trace": "chip.ptrace",
             "interval": 0.5, "thickness": 2e-3, "past_end": "hold",
             "origin": [0.05 * width, 0.01 * height]}),
        "loss": {"coefficient": 3e5, "ambient": 290.3},
        "time": {"end": duration, "step": "auto", "scheme": scheme},
        "output": {"interval": 0.45 * duration, "precision": "double", "fields": FIELDS},
        "run": {"precision": precision, "backend": backend},
        "checkpoint": {"interval": 0.0},
    }


def by_kind(case, is_heated):
    """The same where materials and regions are all that cells differ by: kernels of many steps."""
    sources = tuple(source for source in case["sources"] if source["type"] == "uniform")
    kept = {key: value for key, value in case.items() if key not in ("sources", "loss")}
    return {**kept, "sources": sources, "loss": case["loss"]} if is_heated else kept


def steady(case, scheme):
    """The same without what changes in time, on the way to the steady state."""
    walls = {side: dict(wall) for side, wall in case["boundary"].items()}
    for wall in walls.values():
        for name, value in wall.items():
            if name != "type":
                wall[name] = {"value": 340.0, "ambient": "280+2e3*s", "coefficient": "30+20*sin(90*s)",
                              "emissivity": "0.4+3*s"}[name]
            if name == "value" and wall["type"] == "flux":
                wall[name] = "1500*cos(70*s)"
    sources = tuple({**{key: value for key, value in source.items() if key not in ("factor", "path")},
                     "factor": 0.7, **({"path": ([0.0, 0.03, 0.04],)} if "path" in source else {})}
                    for source in case["sources"] if source["type"] != "floorplan")
    return {**case, "boundary": walls, "sources": sources,
            "time": {"steady": True, "tolerance": 1e-3, "scheme": scheme},
            "output": {"precision": "double", "fields": list(FIELDS)}}


STEADY_NAMES = ("flow_left", "flow_right", "flow_bottom", "flow_top", "flow_fixed", "flow_sources",
                "flow_stored")
NAMES = (*FIELDS, "time", "step", "energy", "heat_left", "heat_right", "heat_bottom",
         "heat_top", "heat_fixed", "heat_sources")
