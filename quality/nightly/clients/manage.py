"""Creates a user and an API key with a generated client, finds both in their lists, and reads events with the key."""

import sys

from gatehouse_client import ApiClient, AuthLoginRequest, Configuration, KeysApi, KeysCreateRequest
from gatehouse_client import LoginApi, OperatorsApi, UsersApi, UsersCreateRequest

host, username, password, name = sys.argv[1:]
configuration = Configuration(host=host)
client = ApiClient(configuration)
credentials = AuthLoginRequest(username=username, password=password)
configuration.access_token = LoginApi(client).auth_login(credentials).token

users = UsersApi(client)
created = users.users_create(UsersCreateRequest(username=name, password="correct-horse-battery", role="ROLE_USER"))
print(next(user.username for user in users.users(limit=200).users if user.id == created.id))

keys = KeysApi(client)
key = keys.keys_create(KeysCreateRequest(name=name, sources=["payment"]))
print(next(known.name for known in keys.keys().keys if known.id == key.id))

reader = ApiClient(Configuration(host=host, api_key={"apiKey": key.key}))
print({event.source for event in OperatorsApi(reader).webhook_events(limit=10).events})
