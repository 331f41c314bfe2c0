import { dynamoKeyAdministration } from '../adapters/dynamodb/keys.ts'
import { dynamoPasskeyStore } from '../adapters/dynamodb/passkey-store.ts'
import { dynamoAccountSessions } from '../adapters/dynamodb/sessions.ts'
import { dynamoUserReader, dynamoUserStore } from '../adapters/dynamodb/users.ts'
import { permitsOf } from '../auth/access.ts'
import { hashPassword } from '../auth/password.ts'
import { createCountedCheck } from '../auth/sign-in.ts'
import { loadConfig } from '../runtime/config.ts'
import { permissionSettings } from '../runtime/settings/permissions.ts'
import { usersStoreSettings } from '../runtime/settings/stores.ts'
import { createForget, type Forget } from '../users/credentials.ts'
import { knownAccount } from '../users/manage.ts'
import { databaseOf, signInParts } from './basic.ts'
import { makeChanging } from './changing.ts'
import { log } from './edge.ts'
import { sessionCookies } from './sessions.ts'
import { documents, tableOf } from './stores.ts'

/** For people who look at their own sessions, and end them. */
export async function makeAccountSessions() {
  return { ...(await makeChanging(0)), kept: dynamoAccountSessions(documents(), tableOf('SESSIONS_TABLE')) }
}

/** For admins who look at the sessions of others, and end them. */
export async function makeUserSessions() {
  const { USERS_TABLE, ROLE_PERMISSIONS } = loadConfig({ ...usersStoreSettings, ...permissionSettings })
  return {
    ...(await makeAccountSessions()),
    permits: permitsOf(ROLE_PERMISSIONS),
    users: dynamoUserReader(documents(), USERS_TABLE),
  }
}

/** For admins who look at the passkeys and keys of others, and remove them. */
export async function makeUserCredentials() {
  const app = await makeUserSessions()
  return { ...app, ...ownRows(), uidIn: ({ userId = '' }: Parameters) => knownAccount(app.users, userId) }
}

type Parameters = Readonly<Record<string, string>>

/** For people who change their own password. */
export async function makePasswordChange() {
  const { check } = databaseOf()
  return {
    ...(await makeChanging(0)),
    startedCookies: sessionCookies().started,
    users: dynamoUserStore(documents(), tableOf('USERS_TABLE')),
    check: createCountedCheck(signInParts({ check })),
    hash: hashPassword,
    forget: forgetting(),
  }
}

/** Deletes the rows of what has ended, where it would be listed. */
export function forgetting(): Forget {
  const { passkeys, keys } = ownRows()
  return createForget({ passkey: passkeys.removeAll, key: keys.removeAll }, log)
}

function ownRows() {
  return {
    passkeys: dynamoPasskeyStore(documents(), tableOf('PASSKEYS_TABLE')),
    keys: dynamoKeyAdministration(documents(), tableOf('KEYS_TABLE')),
  }
}
