"""Makes one call with python3-grpcio, as told on standard input, and prints as JSON how it ended."""

import importlib
import json
import sys

import grpc
from google.protobuf import json_format

told = json.load(sys.stdin)
sys.path.insert(0, told["stubs"])
# The contract of health is in a package of the same name.
grpc.__path__.append(f"{told['stubs']}/grpc")


def error_info(error):
    """What google.rpc.Status says behind the code and the text."""
    from google.rpc import error_details_pb2, status_pb2

    trailers = dict(error.trailing_metadata())
    if "grpc-status-details-bin" not in trailers:
        return None
    info = error_details_pb2.ErrorInfo()
    for detail in status_pb2.Status.FromString(trailers["grpc-status-details-bin"]).details:
        if detail.Unpack(info):
            return json_format.MessageToDict(info)
    return None


def answers_of(stub, request):
    """All messages of a stream, or the one of a call without."""
    call = getattr(stub, told["method"])
    options = {"metadata": list(told["metadata"].items()), "timeout": told["timeout"]}
    answers = call(request, **options)
    yield from answers if isinstance(call, grpc.UnaryStreamMultiCallable) else [answers]


def main():
    messages = importlib.import_module(f"{told['module']}_pb2")
    services = importlib.import_module(f"{told['module']}_pb2_grpc")
    request = json_format.ParseDict(told["request"], getattr(messages, told["requestType"])())
    ended = {"answers": [], "code": "OK"}
    with grpc.insecure_channel(told["address"]) as channel:
        stub = getattr(services, f"{told['service']}Stub")(channel)
        try:
            for answer in answers_of(stub, request):
                ended["answers"].append(json_format.MessageToDict(answer))
        except grpc.RpcError as error:
            ended |= {"code": error.code().name, "text": error.details(), "info": error_info(error)}
    json.dump(ended, sys.stdout)


main()
