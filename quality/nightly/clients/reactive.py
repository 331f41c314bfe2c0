"""Sends the calls on standard input, each as "method address", with a password once it is asked for; prints the statuses."""

import sys
import urllib.error
import urllib.request

passwords = urllib.request.HTTPPasswordMgrWithDefaultRealm()
handler = urllib.request.HTTPBasicAuthHandler(passwords)
opener = urllib.request.build_opener(handler)
for line in sys.stdin:
    method, address = line.split()
    passwords.add_password(None, address, sys.argv[1], sys.argv[2])
    request = urllib.request.Request(address, method=method)
    try:
        print(opener.open(request).status)
    except urllib.error.HTTPError as error:
        print(error.code)
