"""Calls with requests, as a program does that knows of no fault: python3 api.py <address> <name> <fault>..."""

import sys
import time

import requests

address, name, *faults = sys.argv[1:]
USER = {"username": "user", "password": "user-demo"}

for fault in faults:
    base = f"{address}/lab/{fault}"
    session = requests.Session()
    session.headers["X-Client-Name"] = name
    if fault == "session-ends":
        session.post(f"{base}/login", data=USER)
    else:
        token = session.post(f"{base}/api/auth/login", data=USER).json()["token"]
        session.headers["Authorization"] = f"Bearer {token}"
    for turn in range(3):
        if turn > 0 and fault == "expires-soon":
            time.sleep(3)
        session.get(f"{base}/api/user/secure")
