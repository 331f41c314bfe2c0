"""Logs in with Authlib at the issuer of each fault: python3 oauth.py <address> <client id> <fault>..."""

import secrets
import sys

import requests
from authlib.integrations.base_client.sync_openid import OpenIDMixin
from authlib.integrations.requests_client import OAuth2Session

REDIRECT = "http://127.0.0.1:8765/callback"
address, client_id, *faults = sys.argv[1:]


class Provider(OpenIDMixin):
    """What the clients for web frameworks check, without a framework."""

    client_cls, client_kwargs, client_id = OAuth2Session, {}, client_id

    def __init__(self, issuer):
        self.server_metadata = requests.get(f"{issuer}/.well-known/openid-configuration").json()

    def load_server_metadata(self):
        return self.server_metadata


def log_in(provider, session):
    metadata, nonce, verifier = provider.server_metadata, secrets.token_urlsafe(), secrets.token_urlsafe(48)
    asked = {"code_verifier": verifier, "nonce": nonce, "login_hint": "ada"}
    url, state = session.create_authorization_url(metadata["authorization_endpoint"], **asked)
    browser = requests.Session()
    while not url.startswith(REDIRECT):
        location = browser.get(url, allow_redirects=False).headers["location"]
        url = requests.compat.urljoin(metadata["issuer"], location)
    given = {"authorization_response": url, "state": state, "code_verifier": verifier}
    token = session.fetch_token(metadata["token_endpoint"], **given)
    provider.parse_id_token(token, nonce)
    session.get(metadata["userinfo_endpoint"])


def visit(issuer):
    provider = Provider(issuer)
    options = {"code_challenge_method": "S256", "token_endpoint_auth_method": "none"}
    session = OAuth2Session(client_id, redirect_uri=REDIRECT, scope="openid profile", **options)
    log_in(provider, session)
    for _ in range(2):
        session.refresh_token(provider.server_metadata["token_endpoint"])
    log_in(provider, session)


visit(address)
for fault in faults:
    try:
        visit(f"{address}/lab/{fault}")
    except Exception as refused:
        print(fault, refused)
