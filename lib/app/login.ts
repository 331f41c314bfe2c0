import { documentClient } from '../adapters/dynamodb/client.ts'
import { dynamoUserStore } from '../adapters/dynamodb/user-store.ts'
import { loadConfig } from '../platform/config.ts'
import { edgeSettings } from '../platform/settings/edge.ts'
import { usersStoreSettings } from '../platform/settings/stores.ts'
import { noLocalKeyDeployed, tokenSettings } from '../platform/settings/token.ts'
import { edgeOf } from './edge.ts'
import { tokensOf } from './tokens.ts'

const config = loadConfig({ ...edgeSettings, ...tokenSettings, ...usersStoreSettings }, [noLocalKeyDeployed])

/** For `POST /api/auth/login`. */
export const app = {
  ...edgeOf(config),
  tokens: await tokensOf(config),
  users: dynamoUserStore(documentClient(), config.USERS_TABLE),
}
