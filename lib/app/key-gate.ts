import { dynamoKeyReader } from '../adapters/dynamodb/keys.ts'
import { createKeyGate, type KeyGate } from '../auth/keys/gate.ts'
import { loadConfig } from '../runtime/config.ts'
import { keysStoreSettings } from '../runtime/settings/stores.ts'
import { clock, log } from './edge.ts'
import { documents } from './stores.ts'

/** The check of API keys. @throws ConfigError */
export function openKeyGate(): KeyGate {
  const { KEYS_TABLE } = loadConfig(keysStoreSettings)
  return createKeyGate({ keys: dynamoKeyReader(documents(), KEYS_TABLE), clock, log })
}
