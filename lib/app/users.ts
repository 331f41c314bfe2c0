import { dynamoUserAdministration } from '../adapters/dynamodb/user-administration.ts'
import type { Directory } from '../auth/directory.ts'
import { permitsOf } from '../auth/permissions.ts'
import { type Environment, loadConfig } from '../runtime/config.ts'
import { clockIds } from '../runtime/ids.ts'
import { permissionSettings } from '../runtime/settings/permissions.ts'
import { usersStoreSettings } from '../runtime/settings/stores.ts'
import { makeChanging } from './changing.ts'
import { documents } from './clients.ts'
import { clock } from './edge.ts'
import { passwordStores } from './stores.ts'

/** For admins who manage users. */
export async function makeUsers(environment?: Environment) {
  const config = loadConfig({ ...usersStoreSettings, ...permissionSettings }, [], environment)
  return {
    ...(await makeChanging(environment)),
    permits: permitsOf(config.ROLE_PERMISSIONS),
    ids: clockIds(clock),
    users: dynamoUserAdministration(documents(), config.USERS_TABLE),
  }
}

/** For admins who create users: where there is a directory, it is asked for their names. */
export async function makeNewUsers(environment?: Environment) {
  const find: Directory['find'] = async (username) => {
    const { openDirectory } = await import('./directory.ts')
    return (await openDirectory(environment)).find(username)
  }
  const directory = passwordStores(environment).includes('directory') ? { find } : undefined
  return { ...(await makeUsers(environment)), directory }
}
