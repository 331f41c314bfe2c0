"""Talks to a server with python3-stomp, as told on standard input, and prints as JSON all frames that came."""

import json
import queue
import sys

import stomp

CONNECTIONS = {"1.0": stomp.Connection10, "1.1": stomp.Connection11, "1.2": stomp.Connection12}
PATIENCE_SECONDS = 10
TOPIC = "/topic/public/python"

# What only the server may say.
FORGED = {"sender": "root", "Sender": "root", "user-name": "root", "server": "gatehouse", "session": "1"}


class Recorder(stomp.ConnectionListener):
    """Keeps every frame, and hands them to who waits for one."""

    def __init__(self):
        self.frames = []
        self.arrived = queue.Queue()

    def keep(self, frame):
        self.frames.append({"command": frame.cmd, "headers": frame.headers, "body": frame.body})
        self.arrived.put(frame)

    on_connected = on_message = on_receipt = on_error = keep

    def wait_for(self, command, receipt=None):
        while True:
            frame = self.arrived.get(timeout=PATIENCE_SECONDS)
            if (frame.cmd, frame.headers.get("receipt-id")) == (command, receipt):
                return frame


def acknowledge(connection, version, message):
    """Each version names the message in its own way."""
    if version == "1.0":
        connection.ack(message.headers["message-id"], receipt="acknowledged")
    elif version == "1.1":
        connection.ack(message.headers["message-id"], message.headers["subscription"], receipt="acknowledged")
    else:
        connection.ack(message.headers["ack"], receipt="acknowledged")


def converse(connection, version, recorder):
    connection.subscribe(TOPIC, id="7", ack="client-individual", receipt="subscribed")
    recorder.wait_for("RECEIPT", "subscribed")

    connection.send(TOPIC, "grüß Gott", content_type="text/plain", mood="good: \\ day", receipt="sent", headers=FORGED)
    acknowledge(connection, version, recorder.wait_for("MESSAGE"))

    aborted = connection.begin()
    connection.send(TOPIC, "never", transaction=aborted)
    connection.abort(aborted)
    transaction = connection.begin()
    connection.send(TOPIC, "second", transaction=transaction, headers=FORGED)
    connection.send(TOPIC, "first")
    recorder.wait_for("MESSAGE")
    connection.commit(transaction, receipt="committed")
    recorder.wait_for("MESSAGE")

    connection.unsubscribe(id="7", receipt="unsubscribed")
    connection.disconnect(receipt="bye")
    recorder.wait_for("RECEIPT", "bye")


def main():
    told = json.load(sys.stdin)
    recorder = Recorder()
    connection = CONNECTIONS[told["version"]]([(told["host"], told["port"])], reconnect_attempts_max=1)
    connection.set_listener("recorder", recorder)
    try:
        connection.connect(wait=True, **told["credentials"])
        converse(connection, told["version"], recorder)
    except stomp.exception.ConnectFailedException:
        recorder.wait_for("ERROR")
    json.dump({"frames": recorder.frames, "isConnected": connection.is_connected()}, sys.stdout)


main()
