import { createServer } from 'node:http'
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs'
import { deliveryQueueBeside } from '../../../lib/deliver/delivery.ts'
import type { SecretName } from '../../../lib/runtime/settings/secret-names.ts'
import { openDataFolder } from '../../../localstack/stack/data-folder.ts'
import { startDynamoDb } from '../../../localstack/stack/emulators/dynamodb.ts'
import { startEventBus } from '../../../localstack/stack/emulators/event-bus.ts'
import { startSqs } from '../../../localstack/stack/emulators/sqs.ts'
import { HOST } from '../../../localstack/stack/ports.ts'
import { makeTables } from '../deployed-tables.ts'
import { freePort } from '../free-port.ts'
import { startSecretsManager } from '../secrets-manager.ts'

const REGION = 'eu-central-1'
const ACCOUNT = '000000000000'
const FIFO = 'ledger.fifo'

/** A FIFO queue of somebody else. */
export const LEDGER = `arn:aws:sqs:${REGION}:${ACCOUNT}:${FIFO}`

/** A bus of somebody else. */
export const BUS = `arn:aws:events:${REGION}:${ACCOUNT}:event-bus/orders`

const PREFIX = 'gatehouse-local'
const SECRETS_PREFIX = 'gatehouse/local'

/** AWS on this machine, and destinations that are not there yet. */
export type DeliveringCloud = Awaited<ReturnType<typeof startDeliveringCloud>>

/** @param destinations the names of those that have a queue */
export async function startDeliveringCloud(destinations: readonly string[]) {
  const data = openDataFolder('memory')
  const [dynamodb, sqs, bus, sink] = [await freePort(), await freePort(), await freePort(), await freePort()]
  const engine = startDynamoDb('dynoxide', { host: HOST, port: dynamodb }, data)
  const queues = await startSqs(sqs, REGION, data)
  const secretsManager = await startSecretsManager()
  await engine.up
  const at = (port: number) => `http://${HOST}:${port}`
  const environment = {
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: at(dynamodb),
    AWS_ENDPOINT_URL_SQS: at(sqs),
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsManager.url,
    AWS_ENDPOINT_URL_EVENTBRIDGE: at(bus),
  }
  Object.assign(process.env, environment)
  const sqsClient = new SQSClient({ useQueueUrlAsEndpoint: false })
  const makeQueue = (name: string, Attributes = {}) =>
    sqsClient.send(new CreateQueueCommand({ QueueName: name, Attributes }))
  const own = ['retry', 'replay'].map((name) => `${PREFIX}-${name}`)
  const served = destinations.map((name) => deliveryQueueBeside(`${PREFIX}-retry`, name))
  await makeTables(PREFIX)
  for (const name of [...own, ...served]) await makeQueue(name)
  const stops: (() => Promise<unknown>)[] = [engine.part.stop, queues.stop, secretsManager.stop]

  return {
    environment: {
      ...environment,
      RETRY_QUEUE_URL: `${at(sqs)}/${ACCOUNT}/${PREFIX}-retry`,
      SECRETS_PREFIX,
      REPLAY_QUEUE_URL: `${at(sqs)}/${ACCOUNT}/${PREFIX}-replay`,
    },
    /** Where a destination will be. */
    sink: at(sink),
    keep: (name: SecretName, settings: object) => secretsManager.put(`${SECRETS_PREFIX}/${name}`, settings),
    /** Starts what receives: until then, each try fails. */
    async open(): Promise<void> {
      await makeQueue(FIFO, { FifoQueue: 'true' })
      const eventBus = await startEventBus(bus, new URL(at(bus)))
      const server = createServer((_, response) => response.end()).listen(sink, HOST)
      stops.push(eventBus.stop, async () => {
        server.close()
        server.closeAllConnections()
      })
    },
    async stop(): Promise<void> {
      for (const stop of stops.reverse()) await stop()
      data.close()
    },
  }
}
