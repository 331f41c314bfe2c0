"""Logs in, and calls an endpoint without and with the token: what a test of a client does first."""
import json
import sys
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

base, username, password = sys.argv[1:]
with urlopen(f"{base}/api/auth/login", urlencode({"username": username, "password": password}).encode()) as login:
    token = json.load(login)["token"]


def status_of(headers):
    try:
        with urlopen(Request(f"{base}/api/admin/secure", headers=headers)) as answer:
            return answer.status
    except HTTPError as refusal:
        return refusal.code


print(status_of({}), status_of({"Authorization": f"Bearer {token}"}))
