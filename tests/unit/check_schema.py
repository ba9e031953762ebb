#!/usr/bin/env python3
"""Validates scenes with the JSON Schema that `tallow describe --schema` prints: all that are given must
be good, and each of a list of changes to a good one must be refused.

    check_schema.py SCHEMA SCENE|FOLDER...
"""
import json
import pathlib
import sys

try:
    import jsonschema
    import yaml
except ImportError as missing:
    print(missing)
    sys.exit(77)  # skipped


class Loader(yaml.SafeLoader):
    """YAML 1.2, as editors read it: on, off, yes and no are words."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()}
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", yaml.resolver.re.compile("^(true|false)$"), list("tf"))

# By this editors find the schema, which stands beside the scenes, also where they are installed.
MODELINE = "# yaml-language-server: $schema=scene.schema.json"
GOOD = """
spacing: 1 cm
materials: {oil: {density: 900, viscosity: {law: linear, from: [20, 1], to: [60, 0.1 Pa·s]}}}
bodies: [{material: oil, box: {from: [0, 0, 0], to: [10 cm, 0.1, 1e-1 m]}, temperature: 40 °C}]
walls: [{plane: z, at: 0, temperature: [[0 s, 20], [1 min, 90]], colour: "#ff8000"}]
measures: [{name: probe, point: [0, 0, 1 cm], field: temperature}]
"""
BAD = [("spacing: 1 cm", "spacing: 1 kPa"), ("spacing: 1 cm", "spacing: -1"), ("spacing: 1 cm", "spacng: 1 cm"),
       ("spacing: 1 cm", "spacing: [1, 2]"), ("spacing: 1 cm", "title: no spacing"), ("law: linear", "law: liner"),
       ("to: [60, 0.1 Pa·s]", "too: [60, 1]"), ("[10 cm, 0.1, 1e-1 m]", "[10 cm, 0.1]"), ("40 °C", "warm"),
       ("plane: z", "plane: up"), ("[1 min, 90]", "[1 min]"), ("1 min", "1 kg"), ("#ff8000", "no-colour"),
       ("material: oil, ", ""), ("point:", "pont:"), ("density: 900", "density: {a: 1}"),
       ("walls: [{plane: z", "walls: [{hollow: perhaps, plane: z")]


def main(schema_path, scenes):
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    failures = 0
    paths = [path for given in map(pathlib.Path, scenes)
             for path in (sorted(given.glob("*.yaml")) if given.is_dir() else [given])]
    assert paths, "no scenes"
    for path in paths:
        with open(path, encoding="utf-8") as file:
            text = file.read()
            if MODELINE not in text.splitlines()[:2]:
                failures += 1
                print(f"{path}: begin with {MODELINE}")
            for error in validator.iter_errors(yaml.load(text, Loader)):
                failures += 1
                print(f"{path}: {'.'.join(map(str, error.path))}: {error.message[:200]}")
    if not validator.is_valid(yaml.load(GOOD, Loader)):
        failures += 1
        print("the good scene is refused:", [e.message for e in validator.iter_errors(yaml.load(GOOD, Loader))])
    for right, wrong in BAD:
        assert right in GOOD, right
        if validator.is_valid(yaml.load(GOOD.replace(right, wrong), Loader)):
            failures += 1
            print(f"not refused: {wrong}")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
