import { dynamoLoginEnds, dynamoUserStore } from '../adapters/dynamodb/users.ts'
import { type AccountStates, createAccountStates } from '../auth/account-states.ts'
import { loadConfig, optional, text } from '../runtime/config.ts'
import { oauth2Settings } from '../runtime/settings/oauth2.ts'
import { usersStoreSettings } from '../runtime/settings/stores.ts'
import { documents, passwordStores } from './stores.ts'

const settings = {
  ...usersStoreSettings,
  LDAP_URL: optional(text),
  ADMIN_IDENTITIES: oauth2Settings.ADMIN_IDENTITIES,
}

/** The accounts of every store. It loads the client of the directory when the first of its accounts is asked for. */
export function makeAccountStates(): AccountStates {
  const { USERS_TABLE, LDAP_URL, ADMIN_IDENTITIES: admins } = loadConfig(settings)
  return createAccountStates({
    users: dynamoUserStore(documents(), USERS_TABLE),
    ends: dynamoLoginEnds(documents(), USERS_TABLE),
    async directory() {
      if (LDAP_URL === undefined) return undefined
      const { openDirectory } = await import('./directory.ts')
      return openDirectory()
    },
    stores: passwordStores(),
    admins,
  })
}
