"""Imports each module of a generated client and reads each example of a successful answer with its class.

Takes the description as its argument. Prints the number of the examples, and the operations whose examples are refused, as JSON.
"""

import importlib
import json
import pkgutil
import sys

import gatehouse_client
from gatehouse_client import models

for module in pkgutil.walk_packages(gatehouse_client.__path__, "gatehouse_client."):
    importlib.import_module(module.name)

with open(sys.argv[1], encoding="utf-8") as file:
    description = json.load(file)

read, refused = 0, []
for methods in description["paths"].values():
    for operation in methods.values():
        for status, answer in operation["responses"].items():
            media = answer.get("content", {}).get("application/json", {})
            reference = media.get("schema", {}).get("$ref")
            if not status.startswith("2") or reference is None:
                continue
            try:
                getattr(models, reference.split("/")[-1]).from_json(json.dumps(media["example"]))
                read += 1
            except (TypeError, ValueError) as error:
                refused.append([operation["operationId"], str(error)])
print(json.dumps({"read": read, "refused": refused}))
