import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { parse } from 'yaml'
import { type Documents, documentClient } from '../../lib/adapters/dynamodb/client.ts'
import { openDataFolder } from '../../localstack/data-folder.ts'
import { type Engine, hasJdk, startDynamoDb } from '../../localstack/emulators/dynamodb.ts'
import { tableProvider } from '../../localstack/provision/table.ts'

export const TABLES = {
  events: 'test-events',
  payments: 'test-payments',
  orders: 'test-orders',
  replays: 'test-replays',
  users: 'test-users',
  sessions: 'test-sessions',
  counters: 'test-counters',
}

export interface EmulatedStore {
  readonly documents: Documents
  stop(): Promise<void>
}

/** An engine in memory with the tables that are deployed. */
export async function emulatedStore(engine: Engine): Promise<EmulatedStore> {
  const port = await freePort()
  const data = openDataFolder('memory')
  const { part, up } = startDynamoDb(engine, port, data)
  await up
  const environment = {
    AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${port}`,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  }
  Object.assign(process.env, environment)
  const provide = tableProvider(new DynamoDBClient())
  const template = readFileSync('infra/resources/tables.yml', 'utf8').replaceAll('${self:custom.tables.', '${test-')
  const { Resources } = parse(template.replaceAll(/\$\{(test-\w+)\}/g, '$1'))
  for (const { Properties } of Object.values<{ Properties: object }>(Resources)) await provide({ ...Properties })
  return {
    documents: documentClient(),
    async stop() {
      await part.stop()
      data.close()
    },
  }
}

/** Engines that this machine can run; in CI all of them have to. */
export function runnableEngines(): readonly Engine[] {
  if (hasJdk()) return ['dynoxide', 'java']
  if (process.env['CI']) throw new Error('CI needs a JDK for DynamoDB Local')
  process.stderr.write('skipped: the contract tests against DynamoDB Local need a JDK, 17 or newer\n')
  return ['dynoxide']
}

export function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const server = createServer().listen(0, '127.0.0.1', () => {
    const address = server.address()
    server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
  })
  return promise
}
