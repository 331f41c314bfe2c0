import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { cwd } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb'
import { type EventItem, headOf } from '../../lib/adapters/dynamodb/event-item.ts'
import { newMessage } from '../../localstack/senders/message.ts'
import { prove } from '../../localstack/senders/prove.ts'
import { SENDERS } from '../../localstack/senders/table.ts'
import { canConnect } from '../../localstack/stack/parts.ts'
import type { Ready } from '../../localstack/stack/ready.ts'
import { copyProject } from '../../test/support/copy-project.ts'
import type { Random } from '../../test/support/random.ts'
import { freeOffset, type Stack, startStack, temporaryFolder } from '../../test/support/stack.ts'

/** What is killed, by what its command line has; the whole tree has none, and an operator starts it again. */
export const VICTIMS: Readonly<Record<string, string | undefined>> = {
  service: 'serverless/bin/serverless.js',
  database: 'dynoxide serve',
  queue: 'emulators/sqs-server.ts',
  channels: 'dist/adapter/index.mjs',
  tree: undefined,
}

/** In milliseconds: for an answer, and for all that is under way to come to rest, leases included. */
const PATIENCE = { answer: 15_000, rest: 600_000 }

/** How often a sender does not know its own success. */
const REPEATS = 0.1

/** When a destination got an event. */
export interface Arrival {
  readonly event: string
  readonly at: number
}

export type World = Awaited<ReturnType<typeof startWorld>>

/** A run with a destination that takes every event, in a copy of the project. */
export async function startWorld() {
  const copy = temporaryFolder()
  copyProject(cwd(), copy.path)
  const arrivals: Arrival[] = []
  const sink = createServer(({ headers }, response) => {
    arrivals.push({ event: `${headers['gatehouse-source']}/${headers['gatehouse-event']}`, at: Date.now() })
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => sink.once('listening', listening))
  writeFileSync(join(copy.path, 'gatehouse.config.ts'), configOf((sink.address() as AddressInfo).port))
  const environment = {
    WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: '0',
    WEBHOOK_RETRY_DELAY_MINUTES: '0.01,0.02,0.03',
    WEBHOOK_RETRY_SCAN_INTERVAL_MS: '1000',
    PORT_OFFSET: String(await freeOffset()),
    DATA_DIR: join(copy.path, '.data'),
  }
  const start = () => startStack(environment, ['env', '-C', copy.path])
  let stack: Stack = await start()
  const { ready } = stack
  const authorization = `Bearer ${await login(ready)}`
  return {
    ready,
    authorization,
    arrivals,
    /** Kills with SIGKILL, and waits until everything answers again. */
    async kill(command: string | undefined): Promise<void> {
      if (command === undefined) {
        await stack.kill()
        stack = await start()
      } else await stack.killPart(command)
      await eventually(() => isUp(ready, authorization))
    },
    async stop(): Promise<void> {
      await stack.stop()
      sink.closeAllConnections()
      sink.close()
      copy.remove()
    },
  }
}

function configOf(port: number): string {
  const to = `byStage({ local: 'http://127.0.0.1:${port}', default: 'https://example.com' })`
  const sink = `{ to: 'http', url: ${to}, from: { '*': ['**'] }, timeoutSeconds: 5, retry: [1, 2, 5], giveUpAfterHours: 72 }`
  return `import { byStage, defineConfig } from 'gatehouse'\nexport default defineConfig({ destinations: { sink: ${sink} } })\n`
}

async function login({ http, users }: Ready): Promise<string> {
  const { username = '', password = '' } = users.find(({ role }) => role === 'ROLE_ADMIN') ?? {}
  const body = new URLSearchParams({ username, password })
  const response = await fetch(`${http}/api/auth/login`, { method: 'POST', body })
  return ((await response.json()) as { readonly token: string }).token
}

async function isUp({ http, sqs, grpc }: Ready, authorization: string): Promise<boolean> {
  const ports = [sqs, grpc].map((address) => Number(address.slice(address.lastIndexOf(':') + 1)))
  const { ok } = await fetch(`${http}/api/webhooks/events?limit=1`, { headers: { authorization } })
  return ok && (await Promise.all(ports.map((port) => canConnect(port)))).every(Boolean)
}

/** Settles when the condition holds, or when that has taken too long: the verdict tells. */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE.rest
  const holds = async () => condition()
  while (!(await holds().catch(() => false)) && performance.now() < end) await setTimeout(100)
}

/** What is sent: of whom, and how its event and its payment are called. */
const KINDS = [
  { name: 'payment', type: 'COMPLETED', event: 'pay-', payment: 'tx-' },
  { name: 'stripe', type: 'payment_intent.succeeded', event: 'evt_', payment: 'pi_' },
  { name: 'demo', type: 'greeting.said', event: 'evt-', payment: undefined },
] as const

export interface Sent {
  /** Its source and its id. */
  readonly event: string
  /** The payment that it completes. */
  readonly payment: string | undefined
}

/** Sends one event until it is acknowledged, and sometimes once more. */
export async function send({ http, webhookSecrets }: Ready, random: Random): Promise<Sent> {
  const { name, type, ...prefix } = random.pick(KINDS)
  const id = randomUUID()
  const sender = SENDERS[name]
  const message = newMessage(sender, type, { id, at: new Date() })
  const url = `${http}/webhooks/${name}`
  const post = async () => {
    const signing = { name, sender, url, credentials: { secret: webhookSecrets[name] ?? '' }, signedAt: new Date() }
    const { headers, body } = prove(message, signing)
    const init = { method: 'POST', headers, body: new Uint8Array(body), signal: AbortSignal.timeout(PATIENCE.answer) }
    const isOk = async () => (await fetch(url, init)).ok
    return isOk().catch(() => false)
  }
  while (!(await post())) await setTimeout(random.between(50, 250))
  if (random.chance(REPEATS)) await post()
  return { event: `${name}/${prefix.event}${id}`, payment: prefix.payment && `${prefix.payment}${id}` }
}

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }

/** Every row of a table of a local run. */
async function rowsOf({ dynamodb }: Ready, table: string): Promise<readonly Record<string, unknown>[]> {
  const settings = { endpoint: dynamodb, region: 'eu-central-1', credentials }
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(settings))
  const rows: Record<string, unknown>[] = []
  for await (const { Items = [] } of paginateScan({ client }, { TableName: `gatehouse-local-${table}` }))
    rows.push(...Items)
  client.destroy()
  return rows
}

/** How often each stored event was processed. */
export async function processed(ready: Ready): Promise<ReadonlyMap<string, number>> {
  const rows = (await rowsOf(ready, 'events')) as unknown as readonly EventItem[]
  const events = rows.filter(({ listShard }) => listShard !== undefined).map(headOf)
  const times = ({ history }: (typeof events)[number]) => history.filter(({ status }) => status === 'PROCESSED').length
  return new Map(events.map((event) => [`${event.source}/${event.eventId}`, times(event)]))
}

/** The completed payments, by their names. */
export async function paid(ready: Ready): Promise<readonly string[]> {
  const rows = await rowsOf(ready, 'payments')
  return rows.filter(({ status }) => status === 'COMPLETED').map(({ transactionId }) => String(transactionId))
}
