import { dynamoLoginEnds } from '../adapters/dynamodb/login-ends.ts'
import { dynamoUserStore } from '../adapters/dynamodb/user-store.ts'
import { type AccountStates, createAccountStates } from '../auth/account-states.ts'
import { PROFILES } from '../auth/profile.ts'
import { type Environment, loadConfig } from '../runtime/config.ts'
import { edgeSettings } from '../runtime/settings/edge.ts'
import { oauth2Settings } from '../runtime/settings/oauth2.ts'
import { usersStoreSettings } from '../runtime/settings/stores.ts'
import { optional, text } from '../runtime/settings/values.ts'
import { documents } from './clients.ts'

const settings = {
  ...usersStoreSettings,
  PROFILE: edgeSettings.PROFILE,
  LDAP_URL: optional(text),
  ADMIN_IDENTITIES: oauth2Settings.ADMIN_IDENTITIES,
}

/** The accounts of every store. It loads the client of the directory when the first of its accounts is asked for. */
export function makeAccountStates(environment?: Environment): AccountStates {
  const { USERS_TABLE, PROFILE, LDAP_URL, ADMIN_IDENTITIES: admins } = loadConfig(settings, [], environment)
  return createAccountStates({
    users: dynamoUserStore(documents(), USERS_TABLE),
    ends: dynamoLoginEnds(documents(), USERS_TABLE),
    async directory() {
      if (LDAP_URL === undefined) return undefined
      const { openDirectory } = await import('./directory.ts')
      return openDirectory(environment)
    },
    stores: PROFILES[PROFILE].stores,
    admins,
  })
}
