"""A client of the API that does the right thing below every fault of the lab: docs/guide/test-your-client.md.

    python3 client.py http://127.0.0.1:3000 my-client [--omit FAULT]

With --omit it lacks exactly what that fault looks for, to show the verdict on such a client.
"""

import argparse
import base64
import http.cookiejar
import json
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

FAULTS = [
    "expires-soon", "clock-skew", "rotated-key", "revoked", "session-ends", "too-many", "unavailable", "wrong-challenge",
]

parser = argparse.ArgumentParser()
parser.add_argument("base")
parser.add_argument("name")
parser.add_argument("--omit", choices=FAULTS)
parser.add_argument("--username", default="user")
parser.add_argument("--password", default="user-demo")
options = parser.parse_args()
CREDENTIALS = urllib.parse.urlencode({"username": options.username, "password": options.password}).encode()


class StayHere(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Client:
    def __init__(self, fault):
        self.fault = fault
        self.is_careless = fault == options.omit
        self.token = None
        cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self.opener = urllib.request.build_opener(StayHere, cookies)

    def ask(self, path, data=None):
        headers = {"X-Client-Name": options.name}
        if self.token and data is None:
            headers["Authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(f"{options.base}/lab/{self.fault}{path}", data, headers)
        try:
            answer = self.opener.open(request)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            return answer.status, answer.headers, answer.read()

    def log_in(self):
        if self.fault == "session-ends":
            self.ask("/login", CREDENTIALS)
        else:
            self.token = json.loads(self.ask("/api/auth/login", CREDENTIALS)[2])["token"]

    def seems_expired(self):
        payload = self.token.split(".")[1]
        return json.loads(base64.urlsafe_b64decode(payload + "==="))["exp"] < time.time()

    def call(self):
        """Whether more calls make sense."""
        if self.token is None and self.fault != "session-ends":
            self.log_in()
        # Only the service can compare the end of its token with its clock.
        if self.is_careless and self.fault == "clock-skew" and self.seems_expired():
            self.log_in()
        status, headers, _ = self.ask("/api/user/secure")
        if status in (429, 503):
            if not self.is_careless:
                time.sleep(int(headers["Retry-After"]))
            self.ask("/api/user/secure")
        elif status == 401:
            challenge = headers.get("WWW-Authenticate") or headers.get("x-amzn-remapped-www-authenticate") or "Bearer"
            if not challenge.startswith("Bearer") and not self.is_careless:
                return False
            if not self.is_careless:
                self.log_in()
            # A token that was refused is not sent again, even if it was new.
            if self.ask("/api/user/secure")[0] == 401 and not self.is_careless:
                self.token = None
        return True


def run(fault):
    client = Client(fault)
    client.log_in()
    for turn in range(3):
        if turn > 0 and fault == "expires-soon":
            time.sleep(3)
        if not client.call():
            return


threads = [threading.Thread(target=run, args=(fault,)) for fault in FAULTS]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
