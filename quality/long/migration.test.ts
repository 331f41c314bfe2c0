import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { execPath } from 'node:process'
import { promisify } from 'node:util'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type EventItem, headOf } from '../../lib/adapters/dynamodb/event-item.ts'
import { copyProject } from '../../test/support/copy-project.ts'
import { seeded } from '../../test/support/random.ts'
import { freeOffset, localEnvironment, type Stack, startStack, temporaryFolder } from '../../test/support/stack.ts'
import { createReader, isEvent } from '../chaos/rows.ts'
import { storyteller } from '../chaos/story.ts'
import { createTraffic, type Sent, type Traffic } from '../chaos/traffic.ts'
import { judge } from '../chaos/verdict.ts'
import { plantVersion2 } from '../support/version-2.ts'

/** The release that is deployed, the one that reads both versions, and the one that writes version 2. */
type Release = 'old' | 'expand' | 'new'

const MAX_ATTEMPTS = 3
const SETTINGS = {
  JWT_KEYS: `k1:${randomBytes(64).toString('base64url')}`,
  AUDIT_KEYS: `a1:${randomBytes(32).toString('base64url')}`,
  WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: '0',
  WEBHOOK_RETRY_MAX_ATTEMPTS: String(MAX_ATTEMPTS),
  WEBHOOK_RETRY_DELAY_MINUTES: '0.01,0.02,0.03',
  WEBHOOK_RETRY_SCAN_INTERVAL_MS: '1000',
}

/** Events that each release takes in while two of them run, at least. */
const EVENTS = 100
/** Reads of single events by each release meanwhile, on average. */
const READS = 40
const SENDERS = 4
/** In write units a second: slow enough that the load sees rows of both versions for a while. */
const RATE = '60'
const AT_REST = { timeout: 120_000, interval: 250 }

const copy = temporaryFolder()
const data = temporaryFolder()
const stacks = new Map<Release, Stack>()
const traffics: Traffic[] = []
const reads: string[] = []
const wrongReads: string[] = []
const deleted = new Set<string>()
let token = ''

beforeAll(async () => {
  copyProject(process.cwd(), copy.path)
  plantVersion2(copy.path)
  await start('expand', { DATA_DIR: data.path })
  const { http, users } = at('expand')
  const { username = '', password = '' } = users.find(({ role }) => role === 'ROLE_ADMIN') ?? {}
  const body = new URLSearchParams({ username, password })
  const answer = await fetch(`${http}/api/auth/login`, { method: 'POST', body })
  token = ((await answer.json()) as { readonly token: string }).token
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
  headers: { authorization: `Bearer ${token}`, ...init.headers },
})
const ask = (release: Release, path: string, init: RequestInit = {}) =>
  fetch(`${at(release).http}${path}`, authorized(init))

const sent = () => traffics.flatMap((traffic) => traffic.sent)
const pathOf = ({ source, eventId }: Pick<Sent, 'source' | 'eventId'>) =>
  `/api/webhooks/events/${source}/${encodeURIComponent(eventId)}`

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
  const name = `${release} ${shot.source} ${shot.eventId}: ${response.status}`
  reads.push(name)
  if (!response.ok || !isRight) wrongReads.push(`${name} ${JSON.stringify({ headers, payload: payload?.length })}`)
}

/** Two releases take in webhooks and are read, both at once, until there were enough and `work` is done. */
async function load(releases: readonly Release[], seed: number, work: () => Promise<unknown> = async () => {}) {
  const before = reads.length
  let isWorkDone = false
  let isLoadDone = false
  const working = work().finally(() => {
    isWorkDone = true
  })
  const senders = releases.map(async (release, index) => {
    const random = seeded(seed + index)
    const { http: address, webhookSecrets: secrets } = at(release)
    const traffic = createTraffic({ address, secrets, nextStory: storyteller(random, false), random, senders: SENDERS })
    traffics.push(traffic)
    const isEnough = () => isWorkDone && traffic.sent.length >= EVENTS && reads.length >= before + 2 * READS
    while (!isEnough()) await traffic.send(20)
  })
  const readers = releases.map(async (release) => {
    for (let next = 0; !isLoadDone; next++) {
      const known = sent()
      const shot = known[(next * 7) % Math.max(known.length, 1)]
      const list = await ask(release, '/api/webhooks/events?limit=20')
      if (!list.ok) wrongReads.push(`${release} list: ${list.status}`)
      await list.arrayBuffer()
      if (shot?.isAcknowledged) await read(release, shot)
    }
  })
  await Promise.all([working, ...senders]).finally(() => {
    isLoadDone = true
  })
  await Promise.all(readers)
}

/** All that was sent is stored once, with its effects, and has come to rest. */
async function expectNothingLost(): Promise<void> {
  const reader = createReader(at('expand').dynamodb)
  try {
    await vi.waitUntil(async () => (await reader.waiting()) === 0, AT_REST)
    const stored = await reader.stored()
    // What operators do is in the history, too, with the status that stays: it is no run.
    const events = stored.events.map((row) => ({ ...row, history: row.history.filter(({ by }) => by !== 'operator') }))
    const { unseen: _, inconsistent: __, ...verdict } = judge(sent(), { ...stored, events }, [], MAX_ATTEMPTS)
    expect(verdict).toEqual({ lost: [], doubled: [], half: [], unfinished: [], misjudged: [] })
  } finally {
    reader.close()
  }
}

/** An event whose handler fails is answered with 500 once (webhooks-39); there is no other refusal. */
function expectNoCallFailed(): void {
  const refused = traffics.reduce((sum, traffic) => sum + traffic.refused, 0)
  expect(refused).toBe(sent().filter(({ isDoomed }) => isDoomed).length)
  expect(wrongReads).toEqual([])
}

async function migrate(...args: readonly string[]) {
  const PORT_OFFSET = String(Number(new URL(at('expand').http).port) - 3000)
  const options = { cwd: copy.path, env: localEnvironment({ PORT_OFFSET, DATA_DIR: data.path }) }
  const { stdout } = await promisify(execFile)(execPath, ['localstack/migrate.ts', '--json', ...args], options)
  return JSON.parse(stdout) as { readonly rewritten: number; readonly left: number }
}

async function items(): Promise<readonly (EventItem & { readonly v?: number })[]> {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const endpoint = at('expand').dynamodb
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region: 'eu-central-1', credentials }))
  const found: EventItem[] = []
  for await (const { Items: page = [] } of paginateScan({ client }, { TableName: 'gatehouse-local-events' })) {
    found.push(...(page as unknown as EventItem[]).filter(isEvent))
  }
  client.destroy()
  return found
}

describe('version 2 of the event item is introduced in two releases, under load', () => {
  it('the release that reads both versions runs beside the old one, and every row stays at version 1', async () => {
    await startBeside('old')
    await load(['old', 'expand'], 1)
    await expectNothingLost()
    expectNoCallFailed()
    expect((await items()).filter(({ v }) => v !== undefined)).toEqual([])
    await stop('old')
  })

  it('the release that writes version 2 runs beside it, while the old rows are rewritten, replayed and deleted', async () => {
    await startBeside('new')
    const before = sent().filter(({ isAcknowledged, isDoomed, trace }) => isAcknowledged && !isDoomed && !trace)
    let migrated = { rewritten: 0, left: 0 }
    await load(['expand', 'new'], 11, async () => {
      const migrating = migrate('--rate', RATE)
      await Promise.all([replay('expand'), replay('new'), ...before.slice(0, 20).map(deletePayload)])
      migrated = await migrating
    })
    expect(migrated).toMatchObject({ left: 0 })
    expect(migrated.rewritten).toBeGreaterThanOrEqual(2 * EVENTS)
    await expectNothingLost()
    expectNoCallFailed()
  })

  it('a second run rewrites the rows that were written in version 1 meanwhile, and a third run finds none', async () => {
    expect(await migrate('--rate', '10000')).toMatchObject({ rewritten: expect.any(Number), left: 0 })
    expect(await migrate()).toMatchObject({ rewritten: 0, left: 0 })
    const stored = await items()
    expect(stored.filter(({ v }) => v !== 2)).toEqual([])
    expect(new Set(stored.map(({ eventId }) => eventId))).toEqual(new Set(sent().map(({ eventId }) => eventId)))
  })

  it('after a rollback to the release that reads both, every event is readable; the old release could not read it', async () => {
    await stop('new')
    reads.length = 0
    for (const shot of sent()) await read('expand', shot)
    expect(reads).toHaveLength(sent().length)
    expectNoCallFailed()
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
