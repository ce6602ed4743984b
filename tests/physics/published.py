import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))
import numpy
from case import check, finish, invoke, last, orders, series

# The published cases of inputs/, each against its reference and over three grids. Sources stand in the
# input files.
INPUTS = os.path.join(os.path.dirname(__file__), "..", "..", "inputs")


def solve(name, *sets):
    words = [word for setting in sets for word in ("--set", setting)]
    invoke(["run", os.path.join(INPUTS, name + ".cfg"), "--output", name, "--overwrite", "--quiet",
            "--set", "output.precision=double", *words])
    return last(name)


def in_celsius(name, *sets):
    return solve(name, *sets) - 273.15


def corner(field, j, i):
    """The value where four cells meet, by the mean: (i, j) counted in cells from the lower left."""
    return field[j - 1:j + 1, i - 1:i + 1].mean()


def nafems_t3():
    errors = []
    for n in (50, 100, 200):  # 0.08 m lies between two cells
        row = in_celsius("nafems_t3", f"domain.cells=[{n}, 1]")[0]
        errors.append(abs(row[4 * n // 5 - 1:4 * n // 5 + 1].mean() - 36.6031))
    check(errors[-1] < 0.005, f"NAFEMS T3: error {errors[-1]:.4f} K")
    check(min(orders(errors)) > 1.7, f"NAFEMS T3: errors {errors}")


def nafems_t2():
    for n in (4, 20):
        row = solve("nafems_t2", f"domain.cells=[{n}, 1]")[0]
        end = row[-1] + (row[-1] - row[-2]) / 2
        # k (1000 - T)/L = emissivity sigma (T^4 - 300^4), by bisection.
        low, high = 300.0, 1000.0
        for _ in range(100):
            middle = (low + high) / 2
            left = 55.6 * (1000 - middle) / 0.1 - 0.98 * 5.670374419e-8 * (middle**4 - 300.0**4)
            low, high = (middle, high) if left > 0 else (low, middle)
        check(f"{end:.1f}" == "927.0", f"NAFEMS T2: {end:.4f} K, 927.0 published")
        check(abs(end - low) < 1e-5, f"NAFEMS T2, {n} cells: {end:.6f} K, {low:.6f} K at the end")
    flow = series("nafems_t2", "flow_right")[-1]
    check(abs(flow + 55.6 * (1000 - low) / 0.1 * 0.01) < 1e-4, f"NAFEMS T2: {flow:.6f} W/m")


def nafems_t4():
    # Wall temperatures of the half-cell scheme on these grids, computed independently.
    for n, published in ((60, 18.2616), (120, 18.2557)):
        field = in_celsius("nafems_t4", f"domain.cells=[{n}, {n * 5 // 3}]")
        d = 0.6 / n
        row = n * 5 // 3 // 5
        wall = [2 * 52.0 / d * t / (2 * 52.0 / d + 750.0) for t in field[row - 1:row + 1, -1]]
        check(abs(numpy.mean(wall) - published) < 5e-4, f"NAFEMS T4: {numpy.mean(wall):.4f}")


def iso10211_1():
    reference = numpy.array([
        [9.6582, 13.3791, 14.7289, 15.0854], [5.2517, 8.6406, 10.3155, 10.8106],
        [3.1887, 5.6090, 7.0142, 7.4651], [2.0142, 3.6406, 4.6582, 5.0000],
        [1.2625, 2.3086, 2.9858, 3.2185], [0.7396, 1.3594, 1.7668, 1.9083],
        [0.3418, 0.6296, 0.8199, 0.8863]])
    errors = []
    for n in (32, 64, 128):
        field = in_celsius("iso10211_1", f"domain.cells=[{n // 2}, {n}]")
        found = numpy.zeros((7, 4))
        for row in range(7):
            for column in range(4):
                j, i = (7 - row) * n // 8, (column + 1) * n // 8
                # On the axis of symmetry the wall has the value of its mirrored neighbours.
                found[row, column] = (field[j - 1:j + 1, -1].mean() if column == 3
                                      else corner(field, j, i))
        errors.append(numpy.abs(found - reference).max())
    check(errors[-1] < 0.01, f"ISO 10211 case 1: errors {errors}")
    check(min(orders(errors)) > 1.7, f"ISO 10211 case 1: orders {orders(errors)}")


def iso10211_2():
    field = in_celsius("iso10211_2")
    two_k = 2 / 0.5e-3  # times k: from a centre to the face

    def face(j, i, lower, upper):
        return (lower * field[j - 1, i] + upper * field[j, i]) / (lower + upper)

    def wall(cell, k, h, ambient):
        return (two_k * k * cell + h * ambient) / (two_k * k + h)

    found = [wall(field[-1, 0], 1.15, 1 / 0.06, 0), wall(field[-1, -1], 1.15, 1 / 0.06, 0),
             face(83, 0, 0.12, 1.15),
             (face(83, 29, 0.12, 1.15) + face(83, 30, 0.029, 1.15)) / 2, face(83, -1, 0.029, 1.15),
             face(73, 0, 230, 0.12), face(73, 29, 230, 0.12),
             wall(field[0, 0], 230, 1 / 0.11, 20), wall(field[0, -1], 230, 1 / 0.11, 20)]
    # On this grid, computed independently; the standard's digits are these to one place.
    reference = [7.062, 0.761, 7.895, 6.265, 0.828, 16.407, 16.333, 16.768, 18.334]
    error = numpy.abs(numpy.array(found) - reference).max()
    check(error < 0.01, f"ISO 10211 case 2: error {error:.4f} K: {found}")
    for side, sign in (("bottom", 1), ("top", -1)):
        flow = sign * series("iso10211_2", "flow_" + side)[-1]
        check(abs(flow - 9.4893) < 2e-3, f"ISO 10211 case 2: {flow:.4f} W/m at the {side}")


def robin_block():
    for bi, centre, surface in ((1.0, (0.9506418, 0.7725264, 0.5338594),
                                 (0.6433908, 0.5045219, 0.3481769)),
                                (10.0, (0.8292547, 0.4546406, 0.1638176), None)):
        errors = []
        for n in (16, 32, 64):
            solve("robin_block", f"domain.cells=[{n}, {n}]",
                  *[f"boundary.{side}.coefficient={bi}" for side in ("right", "top")])
            frames = series("robin_block")[[2, 5, 10]]
            # At the middle the slope is 0: (9 a - b) / 8 of two cells is the value there.
            a, b = frames[:, 0, 0], frames[:, 1, 1]
            errors.append(numpy.abs((9 * a - b) / 8 - numpy.array(centre)**2).max())
        check(errors[-1] < 2e-4, f"Robin block, Bi {bi}: centre, errors {errors}")
        check(min(orders(errors)) > 1.7, f"Robin block, Bi {bi}: orders {orders(errors)}")
        if surface is not None:
            share = (2 * n) / (2 * n + bi)  # of the wall, half a cell beyond the last centre
            walls = frames[:, -1, -1] * share**2
            error = numpy.abs(walls - numpy.array(surface)**2).max()
            check(error < 5e-4, f"Robin block: corner, error {error:.2e}")


def uniform_source():
    errors = []
    for n in (16, 32, 64):
        field = solve("uniform_source", f"domain.cells=[{n}, {n}]")
        # The mean of four cells lies below the middle by d^2/8 of the Laplacian, which is -1.
        errors.append(abs(corner(field, n // 2, n // 2) + 1 / (8 * n * n) - 0.07367135))
    check(errors[-1] < 1e-4, f"uniform source: errors {errors}")
    check(min(orders(errors)) > 1.7, f"uniform source: orders {orders(errors)}")


def rodinia():
    field = solve("rodinia_hotspot")
    check(f"{field.mean():.7f}" == "325.2929128", f"Rodinia, 60 steps: {field.mean():.7f}")
    check(abs(series("rodinia_hotspot")[0].mean() - 325.2938908) < 5e-8, "Rodinia: start")
    field = solve("rodinia_hotspot", f"time.end={2000 * 1.4583333333333333e-10!r}")
    check(f"{field.mean():.7f}" == "325.2612918", f"Rodinia, 2000 steps: {field.mean():.7f}")
    start = series("rodinia_hotspot")[0].mean()
    single = solve("rodinia_hotspot", "run.precision=single",
                   f"time.end={2000 * 1.4583333333333333e-10!r}").mean()
    check(abs(single - field.mean()) < 0.01 * abs(field.mean() - start),
          f"Rodinia in single: heating {single - start:.6f}, double {field.mean() - start:.6f}")


def moving_spot():
    solve("moving_spot")
    heat, residual = series("moving_spot", "heat_sources"), series("moving_spot", "residual")
    # The spot is on for 0.9 s; the plate's edges are 2 radii and more away.
    check(abs(heat[-1] - 0.9 * 3e5) < 1e-3 * 0.9 * 3e5, f"moving spot: heat {heat[-1]:.1f} J/m")
    check(abs(residual).max() < 1e-9 * heat[-1], f"moving spot: residual {abs(residual).max():.2e}")


for case in (nafems_t2, nafems_t3, nafems_t4, iso10211_1, iso10211_2, robin_block, uniform_source, rodinia,
             moving_spot):
    case()
finish()
