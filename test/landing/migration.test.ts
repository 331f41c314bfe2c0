import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { promisify } from 'node:util'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type EventItem, headOf } from '../../lib/adapters/dynamodb/event-item.ts'
import { adminHeaders } from '../support/admin-headers.ts'
import { copyProject } from '../support/copy-project.ts'
import { payment } from '../support/events.ts'
import { freeOffset, localEnvironment, type Stack, startStack, temporaryFolder } from '../support/stack.ts'

/** The release that is deployed, the one that reads both versions, and the one that writes version 2. */
type Release = 'old' | 'expand' | 'new'

const SETTINGS = {
  JWT_KEYS: `k1:${randomBytes(64).toString('base64url')}`,
  AUDIT_KEYS: `a1:${randomBytes(32).toString('base64url')}`,
  WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: '0',
  WEBHOOK_RETRY_MAX_ATTEMPTS: '3',
  WEBHOOK_RETRY_DELAY_MINUTES: '0.01,0.02,0.03',
  WEBHOOK_RETRY_SCAN_INTERVAL_MS: '1000',
}

/** Events that each release takes in while two of them run, at least. */
const EVENTS = 100
/** Reads of single events by each release meanwhile, on average. */
const READS = 40
const SENDERS = 4
/** Every so many payments, one that contradicts another comes: its handler refuses it whenever it runs. */
const DOOMED = 10
/** In write units a second: slow enough that the load sees rows of both versions for a while. */
const RATE = '60'
const AT_REST = { timeout: 120_000, interval: 250 }

/** A payment that was acknowledged. */
interface Sent {
  readonly eventId: string
  readonly isDoomed: boolean
}

const copy = temporaryFolder()
const data = temporaryFolder()
const stacks = new Map<Release, Stack>()
const sent: Sent[] = []
const reads: string[] = []
const wrong: string[] = []
const deleted = new Set<string>()
let admin: Awaited<ReturnType<typeof adminHeaders>>

beforeAll(async () => {
  copyProject(process.cwd(), copy.path)
  plantVersion2(copy.path)
  await start('expand', { DATA_DIR: data.path })
  admin = await adminHeaders(at('expand'))
})

afterAll(async () => {
  for (const stack of [...stacks.values()].reverse()) await stack.stop()
  copy.remove()
  data.remove()
})

async function start(release: Release, settings: Readonly<Record<string, string>>): Promise<void> {
  const environment = { ...SETTINGS, ...settings, PORT_OFFSET: String(await freeOffset()) }
  const launcher = release === 'old' ? [] : ['env', '-C', copy.path, `PLANTED_WRITES=${release === 'new' ? 2 : 1}`]
  stacks.set(release, await startStack(environment, launcher))
}

/** Starts a release beside the one that reads both, on the same tables and queues. */
function startBeside(release: Release): Promise<void> {
  const { dynamodb, sqs, webhookSecrets } = at('expand')
  const shared = { AWS_ENDPOINT_URL_DYNAMODB: dynamodb, AWS_ENDPOINT_URL_SQS: sqs, AWS_ENDPOINT_URL_SNS: sqs }
  return start(release, { ...shared, WEBHOOK_SECRETS: JSON.stringify(webhookSecrets), DATA_DIR: 'memory' })
}

async function stop(release: Release): Promise<void> {
  await stacks.get(release)?.stop()
  stacks.delete(release)
}

function at(release: Release): Stack['ready'] {
  const stack = stacks.get(release)
  if (stack === undefined) throw new Error(`${release} does not run`)
  return stack.ready
}

const authorized = (init: RequestInit = {}) => ({
  ...init,
  headers: { ...admin, ...init.headers },
})
const ask = (release: Release, path: string, init: RequestInit = {}) =>
  fetch(`${at(release).http}${path}`, authorized(init))

const pathOf = ({ eventId }: Sent) => `/api/webhooks/events/payment/${eventId}`

/** Sends a payment twice: no call fails, but for the first one of an event whose handler fails (webhooks-39). */
async function pay(release: Release, changes: object, isDoomed = false): Promise<void> {
  const eventId = randomUUID()
  const body = JSON.stringify(payment({ eventId, ...changes }))
  for (const expected of [isDoomed ? 500 : 200, 200]) {
    const { status } = await fetch(`${at(release).http}/webhooks/payment`, { method: 'POST', body })
    if (status !== expected) wrong.push(`${release} ${eventId}: ${status}`)
  }
  sent.push({ eventId, isDoomed })
}

/** Reads an event as an operator does, and notes what is not as it was sent. */
async function read(release: Release, shot: Sent): Promise<void> {
  const wasDeleted = deleted.has(shot.eventId)
  const response = await ask(release, pathOf(shot))
  const { headers = {}, payload = null } = (await response.json()) as {
    readonly headers?: Readonly<Record<string, string>>
    readonly payload?: string | null
  }
  const isGone = deleted.has(shot.eventId)
  // It may be deleted while it is read.
  if (wasDeleted !== isGone) return
  const isRight = isGone
    ? payload === null && Object.keys(headers).length === 0
    : payload !== null && headers['content-type'] !== undefined
  const name = `${release} ${shot.eventId}: ${response.status}`
  reads.push(name)
  if (!response.ok || !isRight) wrong.push(`${name} ${JSON.stringify({ headers, payload: payload?.length })}`)
}

/** Two releases take in webhooks and are read, both at once, until there were enough and `work` is done. */
async function load(releases: readonly Release[], work: () => Promise<unknown> = async () => {}): Promise<void> {
  const [before, readsBefore] = [sent.length, reads.length]
  const isEnough = () => sent.length >= before + 2 * EVENTS && reads.length >= readsBefore + 2 * READS
  let isDone = false
  const working = work().finally(() => {
    isDone = true
  })
  const isOver = () => isDone && isEnough()
  async function keepSending(release: Release): Promise<void> {
    for (let count = 1; !isOver(); count++) {
      const transactionId = randomUUID()
      await pay(release, { transactionId })
      if (count % DOOMED === 0) await pay(release, { transactionId, orderId: 'another', status: 'REFUNDED' }, true)
    }
  }
  async function keepReading(release: Release): Promise<void> {
    for (let next = 0; !isOver(); next++) {
      const list = await ask(release, '/api/webhooks/events?limit=20')
      if (!list.ok) wrong.push(`${release} list: ${list.status}`)
      await list.arrayBuffer()
      const shot = sent[(next * 7) % Math.max(sent.length, 1)]
      if (shot) await read(release, shot)
    }
  }
  const senders = releases.flatMap((release) => Array.from({ length: SENDERS }, () => keepSending(release)))
  await Promise.all([working, ...senders, ...releases.map(keepReading)])
}

/** Every event is stored, has come to rest, and had its effect once; no call failed. */
async function expectNothingLost(): Promise<void> {
  const heads = async () => (await items()).map(headOf)
  const isAtRest = ({ status, dead }: ReturnType<typeof headOf>) => status === 'PROCESSED' || dead
  await vi.waitUntil(async () => (await heads()).every(isAtRest), AT_REST)
  const stored = (await heads()).map(({ eventId, status, history }) => [
    eventId,
    // What operators do is in the history, too, with the status that stays: it is no run.
    `${status} ${history.filter((entry) => entry.status === 'PROCESSED' && entry.by !== 'operator').length}`,
  ])
  expect(Object.fromEntries(stored)).toEqual(
    Object.fromEntries(sent.map(({ eventId, isDoomed }) => [eventId, isDoomed ? 'FAILED 0' : 'PROCESSED 1'])),
  )
  const payments = await rows('payments')
  expect(payments).toHaveLength(sent.filter(({ isDoomed }) => !isDoomed).length)
  expect(payments.filter(({ status }) => status !== 'COMPLETED')).toEqual([])
  expect(wrong).toEqual([])
}

async function migrate(...args: readonly string[]) {
  const PORT_OFFSET = String(Number(new URL(at('expand').http).port) - 3000)
  const options = { cwd: copy.path, env: localEnvironment({ PORT_OFFSET, DATA_DIR: data.path }) }
  const { stdout } = await promisify(execFile)(execPath, ['localstack/migrate.ts', '--json', ...args], options)
  return JSON.parse(stdout) as { readonly rewritten: number; readonly left: number }
}

async function rows(table: string): Promise<readonly Record<string, unknown>[]> {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const endpoint = at('expand').dynamodb
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region: 'eu-central-1', credentials }))
  const found: Record<string, unknown>[] = []
  for await (const { Items: page = [] } of paginateScan({ client }, { TableName: `gatehouse-local-${table}` })) {
    found.push(...page)
  }
  client.destroy()
  return found
}

/** The events: their table holds the hashes and the parts of bodies, too. */
async function items(): Promise<readonly (EventItem & { readonly v?: number })[]> {
  return ((await rows('events')) as unknown as EventItem[]).filter(({ listShard }) => listShard !== undefined)
}

describe('version 2 of the event item is introduced in two releases, under load', () => {
  it('the release that reads both versions runs beside the old one, and every row stays at version 1', async () => {
    await startBeside('old')
    await load(['old', 'expand'])
    await expectNothingLost()
    expect((await items()).filter(({ v }) => v !== undefined)).toEqual([])
    await stop('old')
  })

  it('the release that writes version 2 runs beside it, while the old rows are rewritten, replayed and deleted', async () => {
    await startBeside('new')
    const before = sent.filter(({ isDoomed }) => !isDoomed)
    let migrated = { rewritten: 0, left: 0 }
    await load(['expand', 'new'], async () => {
      const migrating = migrate('--rate', RATE)
      await Promise.all([replay('expand'), replay('new'), ...before.slice(0, 20).map(deletePayload)])
      migrated = await migrating
    })
    expect(migrated).toMatchObject({ left: 0 })
    expect(migrated.rewritten).toBeGreaterThanOrEqual(2 * EVENTS)
    await expectNothingLost()
  })

  it('a second run rewrites the rows that were written in version 1 meanwhile, and a third run finds none', async () => {
    expect(await migrate('--rate', '10000')).toMatchObject({ rewritten: expect.any(Number), left: 0 })
    expect(await migrate()).toMatchObject({ rewritten: 0, left: 0 })
    const stored = await items()
    expect(stored.filter(({ v }) => v !== 2)).toEqual([])
    expect(new Set(stored.map(({ eventId }) => eventId))).toEqual(new Set(sent.map(({ eventId }) => eventId)))
  })

  it('after a rollback to the release that reads both, every event is readable; the old release could not read it', async () => {
    await stop('new')
    reads.length = 0
    for (const shot of sent) await read('expand', shot)
    expect(reads).toHaveLength(sent.length)
    expect(wrong).toEqual([])
    expect(deleted.size).toBe(20)
    // An event without its payload has no headers in either version.
    const whole = (await items()).filter(({ eventId }) => !deleted.has(eventId))
    expect(whole.filter((item) => headOf(item).headers !== undefined)).toEqual([])
  })
})

/** Has everything that is dead run again; it fails again, and counts for what was sent. */
async function replay(release: Release): Promise<void> {
  const replayId = `from-${release}`
  const order = { replayId, filter: { dead: true }, ratePerSecond: 50 }
  const headers = { 'content-type': 'application/json' }
  const response = await ask(release, '/api/webhooks/replays', { method: 'POST', headers, body: JSON.stringify(order) })
  expect(response.status).toBe(202)
  await vi.waitUntil(async () => {
    const state = await ask(release, `/api/webhooks/replays/${replayId}`)
    return ((await state.json()) as { readonly state: string }).state === 'DONE'
  }, AT_REST)
}

async function deletePayload(shot: Sent, index: number): Promise<void> {
  const response = await ask(index % 2 === 0 ? 'expand' : 'new', `${pathOf(shot)}/payload`, { method: 'DELETE' })
  deleted.add(shot.eventId)
  expect(response.status, shot.eventId).toBe(204)
}

const ITEMS = 'lib/adapters/dynamodb/event-item.ts'

/** Version 2 has its headers under a shorter name. This code reads both versions; a setting says which one it writes. */
const READS_BOTH = `
import * as first from './event-item-1.ts'
export * from './event-item-1.ts'

export function toItem(event, body) {
  const { headers, ...same } = first.toItem(event, body)
  return process.env['PLANTED_WRITES'] === '2' ? { ...same, v: 2, h: headers } : { ...same, headers }
}

export function headOf({ v, h, ...same }) {
  return first.headOf(h === undefined ? same : { ...same, headers: h })
}
`

const MIGRATION = `[{
  table: 'events',
  key: ['source', 'eventId'],
  from: 1,
  isFor: ({ listShard }) => listShard !== undefined,
  reads: ['headers'],
  change: ({ headers }) => ({ headers: undefined, h: headers }),
}]`

/** Changes a copy of the project into its next release, which knows a version 2 of the event item. */
function plantVersion2(copy: string): void {
  renameSync(join(copy, ITEMS), join(copy, ITEMS.replace('.ts', '-1.ts')))
  writeFileSync(join(copy, ITEMS), READS_BOTH)
  change(
    copy,
    'lib/adapters/dynamodb/migrations.ts',
    'readonly Migration[] = []',
    `readonly Migration[] = ${MIGRATION}`,
  )
  // Who deletes a payload deletes its headers in either form, as nobody knows the version of a row that is only updated.
  change(
    copy,
    'lib/adapters/dynamodb/payload-store.ts',
    "['payload', 'payloadCoding']",
    "['payload', 'payloadCoding', 'h']",
  )
}

function change(copy: string, file: string, text: string, replacement: string): void {
  const before = readFileSync(join(copy, file), 'utf8')
  const after = before.replace(text, () => replacement)
  if (after === before) throw new Error(`${file} does not have: ${text}`)
  writeFileSync(join(copy, file), after)
}
