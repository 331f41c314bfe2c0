import { dynamoUserAdministration, dynamoUserList, dynamoUserReader } from '../adapters/dynamodb/users.ts'
import { permitsOf } from '../auth/access.ts'
import type { Directory } from '../auth/directory.ts'
import { loadConfig } from '../runtime/config.ts'
import { clockIds } from '../runtime/ids.ts'
import { permissionSettings } from '../runtime/settings/permissions.ts'
import { usersStoreSettings } from '../runtime/settings/stores.ts'
import { forgetting } from './account.ts'
import { makeChanging } from './changing.ts'
import { makeApi } from './checks.ts'
import { clock } from './edge.ts'
import { documents, passwordStores, tableOf } from './stores.ts'

/** For admins who look at users. */
export async function makeUserList() {
  const { USERS_TABLE, permits } = settingsOf()
  const reader = dynamoUserReader(documents(), USERS_TABLE)
  return { ...(await makeApi()), permits, users: { ...dynamoUserList(documents(), USERS_TABLE), ...reader } }
}

/** For admins who manage users. */
export async function makeUsers() {
  const { USERS_TABLE, permits } = settingsOf()
  return {
    ...(await makeChanging(0)),
    permits,
    ids: clockIds(clock),
    forget: forgetting(),
    users: dynamoUserAdministration(documents(), { users: USERS_TABLE, passkeys: tableOf('PASSKEYS_TABLE') }),
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
