"""Generates Python's stubs from a compiled contract, as told on standard input."""

import json
import sys

from grpc_tools import protoc

# The descriptors and not the sources: Debian's protoc is older than `optional` in proto3, which descriptors do not spell.
told = json.load(sys.stdin)
options = [f"--descriptor_set_in={told['image']}", f"--python_out={told['folder']}", f"--grpc_python_out={told['folder']}"]
status = protoc.main(["protoc", *options, *told["files"]])
json.dump(None, sys.stdout)
sys.exit(status)
