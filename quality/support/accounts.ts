import process from 'node:process'
import { documentClient } from '../../lib/adapters/dynamodb/table.ts'
import { openDataFolder } from '../../localstack/stack/data-folder.ts'
import { startDynamoDb } from '../../localstack/stack/emulators/dynamodb.ts'
import { HOST } from '../../localstack/stack/ports.ts'
import { makeTables } from '../../test/support/deployed-tables.ts'
import { freePort } from '../../test/support/free-port.ts'
import { addAdmin } from '../../test/support/instances.ts'

const PREFIX = 'quality'
const USERS_TABLE = `${PREFIX}-users`
const MESSAGES_TABLE = `${PREFIX}-messages`
const AUDIT_TABLE = `${PREFIX}-audit`

/** An engine in memory with that account and no messages, and what a process needs to find them. */
export async function startAccounts() {
  const [port, data] = [await freePort(), openDataFolder('memory')]
  const { part, up } = startDynamoDb('dynoxide', { host: HOST, port }, data)
  await up
  const AWS_ENDPOINT_URL_DYNAMODB = `http://${HOST}:${port}`
  const credentials = { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' }
  Object.assign(process.env, { AWS_ENDPOINT_URL_DYNAMODB, ...credentials })
  await makeTables(PREFIX)
  await addAdmin(documentClient(), USERS_TABLE)
  return {
    settings: { AWS_ENDPOINT_URL_DYNAMODB, USERS_TABLE, MESSAGES_TABLE, AUDIT_TABLE },
    async stop() {
      await part.stop()
      data.close()
    },
  }
}
