import { dynamoKeyAdministration } from '../adapters/dynamodb/keys.ts'
import { dynamoAccountSessions } from '../adapters/dynamodb/sessions.ts'
import { dynamoTrailPages } from '../adapters/dynamodb/trail.ts'
import { dynamoUserAdministration, dynamoUserList, dynamoUserStore } from '../adapters/dynamodb/users.ts'
import type { Directory } from '../auth/directory.ts'
import { hashPassword } from '../auth/password.ts'
import { permitsOf } from '../auth/permissions.ts'
import { createCountedCheck } from '../auth/sign-in.ts'
import { loadConfig } from '../runtime/config.ts'
import { clockIds } from '../runtime/ids.ts'
import { permissionSettings } from '../runtime/settings/permissions.ts'
import {
  auditStoreSettings,
  keysStoreSettings,
  passkeysStoreSettings,
  sessionsStoreSettings,
  usersStoreSettings,
} from '../runtime/settings/stores.ts'
import { databaseOf, signInParts } from './basic.ts'
import { makeApi, makeChanging } from './checks.ts'
import { clock } from './edge.ts'
import { sessionCookies } from './sessions.ts'
import { documents, passwordStores } from './stores.ts'

/** For admins who look at users. */
export async function makeUserList() {
  const { USERS_TABLE, permits } = settingsOf()
  const store = dynamoUserStore(documents(), USERS_TABLE)
  return { ...(await makeApi()), permits, users: { ...dynamoUserList(documents(), USERS_TABLE), ...store } }
}

/** For admins who manage users. */
export async function makeUsers() {
  const { USERS_TABLE, permits } = settingsOf()
  const { PASSKEYS_TABLE } = loadConfig(passkeysStoreSettings)
  return {
    ...(await makeChanging()),
    permits,
    ids: clockIds(clock),
    users: dynamoUserAdministration(documents(), { users: USERS_TABLE, passkeys: PASSKEYS_TABLE }),
  }
}

function settingsOf() {
  const { USERS_TABLE, ROLE_PERMISSIONS } = loadConfig({ ...usersStoreSettings, ...permissionSettings })
  return { USERS_TABLE, permits: permitsOf(ROLE_PERMISSIONS) }
}

/** For admins who create users: where there is a directory, it is asked for their names. */
export async function makeNewUsers() {
  const find: Directory['find'] = async (username) => {
    const { openDirectory } = await import('./directory.ts')
    return (await openDirectory()).find(username)
  }
  const directory = passwordStores().includes('directory') ? { find } : undefined
  return { ...(await makeUsers()), directory }
}

/** For people who look at their own sessions, and end them. */
export async function makeAccountSessions() {
  const { SESSIONS_TABLE } = loadConfig(sessionsStoreSettings)
  return { ...(await makeChanging()), kept: dynamoAccountSessions(documents(), SESSIONS_TABLE) }
}

/** For admins who look at the sessions of others, and end them. */
export async function makeUserSessions() {
  const { USERS_TABLE, ROLE_PERMISSIONS } = loadConfig({ ...usersStoreSettings, ...permissionSettings })
  return {
    ...(await makeAccountSessions()),
    permits: permitsOf(ROLE_PERMISSIONS),
    users: dynamoUserStore(documents(), USERS_TABLE),
  }
}

/** For people who change their own password. */
export async function makePasswordChange() {
  const { USERS_TABLE } = loadConfig(usersStoreSettings)
  const { check } = databaseOf()
  return {
    ...(await makeChanging()),
    startedCookies: sessionCookies().started,
    users: dynamoUserStore(documents(), USERS_TABLE),
    check: createCountedCheck(signInParts({ check })),
    hash: hashPassword,
  }
}

/** For admins who look at API keys. */
export async function makeKeyList() {
  return { ...(await makeApi()), keys: keysOf() }
}

/** For admins who make and delete API keys. */
export async function makeKeys() {
  return { ...(await makeChanging()), keys: keysOf(), ids: clockIds(clock) }
}

function keysOf() {
  const { KEYS_TABLE } = loadConfig(keysStoreSettings)
  return dynamoKeyAdministration(documents(), KEYS_TABLE)
}

/** For admins who look at the audit trail. */
export async function makeTrailList() {
  const { AUDIT_TABLE, USERS_TABLE } = loadConfig({ ...auditStoreSettings, ...usersStoreSettings })
  const { findById } = dynamoUserStore(documents(), USERS_TABLE)
  return {
    ...(await makeApi()),
    pages: dynamoTrailPages(documents(), AUDIT_TABLE),
    nameOf: async (uid: string) => (await findById(uid))?.username,
  }
}
