import { dynamoUserAdministration } from '../adapters/dynamodb/user-administration.ts'
import { permitsOf } from '../auth/permissions.ts'
import { loadConfig } from '../platform/config.ts'
import { clockIds } from '../platform/ids.ts'
import { permissionSettings } from '../platform/settings/permissions.ts'
import { usersStoreSettings } from '../platform/settings/stores.ts'
import { app as api } from './api.ts'
import { documents } from './documents.ts'
import { clock } from './edge.ts'
import { sessionGuard } from './session-guard.ts'

const config = loadConfig({ ...usersStoreSettings, ...permissionSettings })

/** For those who look after users. */
export const app = {
  ...api,
  sessionGuard,
  permits: permitsOf(config.ROLE_PERMISSIONS),
  ids: clockIds(clock),
  users: dynamoUserAdministration(documents, config.USERS_TABLE),
}
