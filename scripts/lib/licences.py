"""licences.py FOLDER: prints what the bills of materials (CycloneDX) below FOLDER list, one line for each artifact with its
licences. Ends with 1 if one has no licence that a closed product may use."""

import json
import pathlib
import sys

# SPDX's names, and what artifacts say that use none. Of several licences of an artifact, its user chooses one.
ALLOWED = {
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "CDDL-1.0",
    "EPL-1.0",
    "EPL-2.0",
    "MIT",
    "MIT-0",
}

found = {}
bills = sorted(pathlib.Path(sys.argv[1]).rglob("*-cyclonedx.json"))
for bill in bills:
    for component in json.loads(bill.read_text(encoding="utf-8")).get("components", []):
        names = set()
        for choice in component.get("licenses", []):
            licence = choice.get("license", {})
            name = choice.get("expression") or licence.get("id") or licence.get("name")
            names.update(name.strip("()").split(" OR "))
        found[":".join(component.get(part, "") for part in ("group", "name", "version"))] = names

refused = 0
for artifact, names in sorted(found.items()):
    print(f"{artifact}  {', '.join(sorted(names)) or 'none'}")
    if not names & ALLOWED:
        refused += 1
        print(
            f"release: the licence of a dependency is not allowed: {artifact}; leave it out, or add the licence to"
            f" scripts/lib/licences.py; licences={', '.join(sorted(names)) or 'none'}",
            file=sys.stderr,
        )
if not found:
    sys.exit(f"release: no bills of materials with dependencies below {sys.argv[1]}; the build made none")
sys.exit(1 if refused else 0)
