import { randomUUID } from 'node:crypto'
import { env } from 'node:process'
import { inject } from 'vitest'
import { orderEffect, paymentEffect } from '../../lib/adapters/dynamodb/changed-rows.ts'
import { type Documents, documentClient } from '../../lib/adapters/dynamodb/table.ts'
import { type Clock, systemClock } from '../../lib/runtime/time.ts'
import { openDataFolder } from '../../localstack/stack/data-folder.ts'
import { type DynamoDbEngine, startDynamoDb } from '../../localstack/stack/emulators/dynamodb.ts'
import { HOST } from '../../localstack/stack/ports.ts'
import { makeTables } from './deployed-tables.ts'
import { freePort } from './free-port.ts'

/** Each file of tests has an access key, and with it tables, of its own: DynamoDB Local is one for all of them. */
const ACCESS_KEY = randomUUID().replaceAll('-', '')
const PREFIX = `test-${ACCESS_KEY}`

export const TABLES = {
  events: `${PREFIX}-events`,
  payments: `${PREFIX}-payments`,
  orders: `${PREFIX}-orders`,
  replays: `${PREFIX}-replays`,
  users: `${PREFIX}-users`,
  sessions: `${PREFIX}-sessions`,
  counters: `${PREFIX}-counters`,
  refusals: `${PREFIX}-refusals`,
  keys: `${PREFIX}-keys`,
  passkeys: `${PREFIX}-passkeys`,
  audit: `${PREFIX}-audit`,
  deliveries: `${PREFIX}-deliveries`,
  messages: `${PREFIX}-messages`,
  /** The kinds of effects, with the tables that they change. */
  effects: [paymentEffect(`${PREFIX}-payments`), orderEffect(`${PREFIX}-orders`)],
}

export interface EmulatedStore {
  readonly documents: Documents
  stop(): Promise<void>
}

/**
 * An engine in memory with the tables that are deployed.
 * @param clock says which rows are past their end
 */
export async function emulatedStore(engine: DynamoDbEngine, clock: Clock = systemClock): Promise<EmulatedStore> {
  const { endpoint, stop } = await ENGINES[engine]()
  const environment = {
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: ACCESS_KEY,
    AWS_SECRET_ACCESS_KEY: 'local',
  }
  Object.assign(process.env, environment)
  await makeTables(PREFIX)
  // An emulator on a busy machine answers a thousand requests at once later than a table does.
  return { documents: documentClient(20_000, clock), stop }
}

const ENGINES = {
  dynoxide: startDynoxide,
  java: async () => ({ endpoint: String(inject('dynamoDbLocal')), stop: async () => {} }),
}

async function startDynoxide() {
  const port = await freePort()
  const data = openDataFolder('memory')
  const { part, up } = startDynamoDb('dynoxide', { host: HOST, port }, data)
  await up
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async stop() {
      await part.stop()
      data.close()
    },
  }
}

/** The engine that the contract is tested against: `npm test -- --on dynamodb-local` is about the other one. */
export const ENGINE: DynamoDbEngine = env['CONTRACT_ENGINE'] === 'java' ? 'java' : 'dynoxide'
