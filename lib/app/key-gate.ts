import { dynamoKeyReader } from '../adapters/dynamodb/keys.ts'
import { createKeyGate, type KeyGate } from '../auth/keys/gate.ts'
import { clock, log } from './edge.ts'
import { makeAccountStates } from './sessions.ts'
import { documents, tableOf } from './stores.ts'

/** The check of API keys. @throws ConfigError */
export function openKeyGate(): KeyGate {
  return createKeyGate({
    keys: dynamoKeyReader(documents(), tableOf('KEYS_TABLE')),
    accounts: makeAccountStates(),
    clock,
    log,
  })
}
