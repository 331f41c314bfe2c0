import { dynamoAccountSessions } from '../adapters/dynamodb/sessions.ts'
import { dynamoUserStore } from '../adapters/dynamodb/users.ts'
import { permitsOf } from '../auth/access.ts'
import { hashPassword } from '../auth/password.ts'
import { createCountedCheck } from '../auth/sign-in.ts'
import { loadConfig } from '../runtime/config.ts'
import { permissionSettings } from '../runtime/settings/permissions.ts'
import { usersStoreSettings } from '../runtime/settings/stores.ts'
import { databaseOf, signInParts } from './basic.ts'
import { makeChanging } from './changing.ts'
import { sessionCookies } from './sessions.ts'
import { documents, tableOf } from './stores.ts'

/** For people who look at their own sessions, and end them. */
export async function makeAccountSessions() {
  return { ...(await makeChanging()), kept: dynamoAccountSessions(documents(), tableOf('SESSIONS_TABLE')) }
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
  const { check } = databaseOf()
  return {
    ...(await makeChanging()),
    startedCookies: sessionCookies().started,
    users: dynamoUserStore(documents(), tableOf('USERS_TABLE')),
    check: createCountedCheck(signInParts({ check })),
    hash: hashPassword,
  }
}
