"""Logs in with Authlib at the issuer that it is told, checks the ID token, calls userinfo and refreshes."""

import json
import sys
import warnings

warnings.simplefilter("ignore")

import requests
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebKey, jwt
from authlib.oidc.core import CodeIDToken

told = json.load(sys.stdin)
REDIRECT = "http://127.0.0.1:8765/callback"
metadata = requests.get(told["issuer"] + "/.well-known/openid-configuration", timeout=30).json()
client = OAuth2Session(
    told["client"], redirect_uri=REDIRECT, scope="openid profile email", code_challenge_method="S256",
    token_endpoint_auth_method="none",
)
verifier = "a-verifier-of-at-least-43-characters-0123456789"
url, state = client.create_authorization_url(
    metadata["authorization_endpoint"], code_verifier=verifier, nonce="n-1", login_hint="grace",
)
browser = requests.Session()
while not url.startswith(REDIRECT):
    url = browser.get(url, allow_redirects=False, timeout=30).headers["location"]
    url = requests.compat.urljoin(metadata["issuer"], url)
token = client.fetch_token(
    metadata["token_endpoint"], authorization_response=url, state=state, code_verifier=verifier,
)
keys = JsonWebKey.import_key_set(requests.get(metadata["jwks_uri"], timeout=30).json())
options = {"iss": {"essential": True, "value": metadata["issuer"]}, "aud": {"essential": True, "value": told["client"]}}
claims = jwt.decode(
    token["id_token"], keys, claims_cls=CodeIDToken, claims_options=options, claims_params={"nonce": "n-1"},
)
claims.validate()
user = client.get(metadata["userinfo_endpoint"]).json()
refreshed = client.refresh_token(metadata["token_endpoint"], refresh_token=token["refresh_token"])
print(json.dumps({"sub": claims["sub"], "email": user["email"], "type": refreshed["token_type"]}))
