"""Watches webhook events with python3-grpcio, in several streams of one channel; each that ends resumes by its cursor.

The first line of standard input says what to do, as JSON; when standard input ends, so does this. A line of JSON goes out
for the first message of each watcher, for each event and for each end of a stream.
"""

import json
import os
import sys
import threading
import time

import grpc

told = json.loads(sys.stdin.readline())
sys.path.insert(0, told["stubs"])

from gatehouse.v1 import webhook_event_pb2, webhook_event_pb2_grpc  # noqa: E402
from google.rpc import error_details_pb2, status_pb2  # noqa: E402

# Further away than the timers of Node reach.
DEADLINE = 25 * 24 * 3600

printing = threading.Lock()


def say(watcher, **what):
    with printing:
        print(json.dumps({"watcher": watcher, **what}), flush=True)


def end_of(error):
    """As resuming-stream.ts says it."""
    details = dict(error.trailing_metadata() or ()).get("grpc-status-details-bin", b"")
    info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
    reason, seconds = "undefined", "undefined"
    for detail in status_pb2.Status.FromString(details).details:
        if detail.Unpack(info):
            reason = info.reason
        elif detail.Unpack(retry):
            seconds = retry.retry_delay.seconds
    return f"{error.code().name}, {reason}, again after {seconds} s"


def watch(watcher, stub):
    cursor = ""
    while True:
        request = webhook_event_pb2.WatchWebhookEventsRequest(resume_after=cursor)
        try:
            for message in stub.WatchWebhookEvents(request, metadata=[("authorization", told["authorization"])], timeout=DEADLINE):
                if cursor == "":
                    say(watcher, watches=True)
                cursor = message.cursor
                if message.WhichOneof("change") == "event":
                    say(watcher, event=message.event.event_id)
        except grpc.RpcError as error:
            say(watcher, end=end_of(error))
        time.sleep(0.1)


quick = [("grpc.initial_reconnect_backoff_ms", 50), ("grpc.max_reconnect_backoff_ms", 200)]
stub = webhook_event_pb2_grpc.WebhookEventServiceStub(grpc.insecure_channel(told["address"], options=quick))
for number in range(told["streams"]):
    threading.Thread(target=watch, args=(number, stub), daemon=True).start()
sys.stdin.read()
os._exit(0)
