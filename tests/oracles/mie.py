#!/usr/bin/env python3
"""Forces and energies of Mie's potential from LAMMPS (pair_style mie/cut), an independent program.

    tests/oracles/mie.py > tests/oracles/mie.txt     makes the reference that the tests read
    tests/oracles/mie.py --check tests/oracles/mie.txt
                          runs LAMMPS again and compares; exit 77 (skipped) where it is missing

Ten particles, each with a depth of its own: a pair has the mean of both. Lines of the reference are
`case n m r0 energy`, then `x y z depth fx fy fz` for each particle.
"""
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

R0, CASES = 1.192, [(4, 2), (8, 6), (12, 6), (9.5, 3.5)]


def particles():
    """A loose heap without two particles that touch, the same every time."""
    rng, places = random.Random(1991), []
    while len(places) < 10:
        p = [round(rng.uniform(0, 3.2), 6) for _ in range(3)]
        if all(sum((a - b) ** 2 for a, b in zip(p, q)) > 0.9 ** 2 for q in places):
            places.append(p)
    return [(p, round(rng.uniform(20, 200), 3)) for p in places]


def lammps(n, m, atoms):
    count = len(atoms)
    # LAMMPS has sigma, where the potential crosses zero, instead of the minimum r0.
    sigma = R0 * (m / n) ** (1 / (n - m))
    lines = ["units lj", "atom_style atomic", "boundary f f f", "atom_modify sort 0 0",
             "region box block -20 20 -20 20 -20 20", f"create_box {count} box", "mass * 1",
             "pair_style mie/cut 12"]
    lines += [f"create_atoms {i + 1} single {p[0]!r} {p[1]!r} {p[2]!r}"
              for i, (p, _) in enumerate(atoms)]
    lines += [f"pair_coeff {i + 1} {j + 1} {(atoms[i][1] + atoms[j][1]) / 2!r} {sigma!r} {n} {m}"
              for i in range(count) for j in range(i, count)]
    lines += ["dump f all custom 1 forces id fx fy fz", "dump_modify f sort id format float %.17g",
              "thermo_style custom pe", "thermo_modify norm no format float %.17g", "run 0"]
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "in").write_text("\n".join(lines) + "\n")
        run = subprocess.run(["lmp", "-in", "in", "-log", "log"], cwd=folder, text=True,
                             capture_output=True)
        if run.returncode:
            sys.exit(run.stdout + run.stderr)
        log = pathlib.Path(folder, "log").read_text().splitlines()
        energy = float(log[[line.strip() for line in log].index("PotEng") + 1])
        dump = pathlib.Path(folder, "forces").read_text().splitlines()[9:]
    return energy, [[float(x) for x in line.split()[1:]] for line in dump]


def reference():
    atoms = particles()
    for n, m in CASES:
        energy, forces = lammps(n, m, atoms)
        yield f"case {n} {m} {R0} {energy!r}"
        for (p, depth), f in zip(atoms, forces):
            yield " ".join(repr(x) for x in [*p, depth, *f])


def main():
    if not shutil.which("lmp"):
        print("LAMMPS (lmp) is not installed")
        return 77
    lines = list(reference())
    if sys.argv[1:2] != ["--check"]:
        print("\n".join(lines))
        return 0
    kept = pathlib.Path(sys.argv[2]).read_text().splitlines()
    if len(kept) != len(lines):
        print("the reference has another number of lines")
        return 1
    for number, (a, b) in enumerate(zip(kept, lines), 1):
        for x, y in zip(a.split(), b.split()):
            if x != y and abs(float(x) - float(y)) > 1e-9 * max(1, abs(float(y))):
                print(f"line {number}: {x} was {y}")
                return 1
    return 0


sys.exit(main())
