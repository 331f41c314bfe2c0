"""Opens a WebSocket with websocket-client, as told on standard input, sends one frame and prints as JSON what comes back."""

import json
import sys

import websocket

PATIENCE_SECONDS = 10


def main():
    told = json.load(sys.stdin)
    try:
        socket = websocket.create_connection(told["url"], timeout=PATIENCE_SECONDS, **told["options"])
        socket.send(told["frame"])
        answer = {"heard": socket.recv()}
        socket.close()
    except websocket.WebSocketBadStatusException as refusal:
        answer = {"status": refusal.status_code}
    json.dump(answer, sys.stdout)


main()
