"""A client of the API with nothing but Python's own library, that meets all faults at once. The good one does what an
answer says. The bad one repeats a refused call at once, logs in again and again, and continues with its old token."""

import http.cookiejar
import json
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

FAULTS = [
    "expires-soon", "clock-skew", "rotated-key", "revoked", "session-ends", "too-many", "unavailable", "wrong-challenge",
]
told = json.load(sys.stdin)
CREDENTIALS = urllib.parse.urlencode({"username": told["username"], "password": told["password"]}).encode()


class StayHere(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Client:
    def __init__(self, fault):
        self.fault = fault
        self.token = None
        self.jar = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(StayHere, urllib.request.HTTPCookieProcessor(self.jar))

    def ask(self, path, data=None, **headers):
        url = f"{told['base']}/lab/{self.fault}{path}"
        sent = {"X-Client-Name": told["name"], **headers}
        try:
            answer = self.opener.open(urllib.request.Request(url, data, sent))
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            return answer.status, answer.headers, answer.read()

    def log_in(self):
        _, _, body = self.ask("/api/auth/login", CREDENTIALS)
        return json.loads(body)["token"]

    def call(self):
        return self.ask("/api/user/secure", Authorization=f"Bearer {self.token}")

    def begin_session(self):
        self.ask("/login", CREDENTIALS)

    def call_with_session(self):
        return self.ask("/api/user/secure")[0]


def challenge_of(headers):
    return headers.get("WWW-Authenticate") or headers.get("x-amzn-remapped-www-authenticate") or ""


def good(client):
    status, headers, _ = client.call()
    if status == 401 and challenge_of(headers).startswith("Bearer"):
        client.token = client.log_in()
        client.call()
    elif status in (429, 503):
        time.sleep(int(headers["Retry-After"]))
        client.call()


def bad(client):
    for _ in range(3):
        status, _, _ = client.call() if client.fault != "clock-skew" else (401, None, None)
        if status in (429, 503):
            client.call()
        if status != 200:
            client.log_in()


def run(fault):
    client, step = Client(fault), {"good": good, "bad": bad}[told["variant"]]
    if fault == "session-ends":
        client.begin_session()
        for _ in range(2):
            if client.call_with_session() == 401 and step is good:
                client.begin_session()
        return
    client.token = client.log_in()
    step(client)
    if fault == "expires-soon":
        time.sleep(3)
    if fault in ("expires-soon", "clock-skew"):
        step(client)


threads = [threading.Thread(target=run, args=(fault,)) for fault in FAULTS]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("null")
