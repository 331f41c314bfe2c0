import { createHmac, randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Reply } from '../../lib/http/message.ts'
import { templateAlarm } from '../../test/support/cloudwatch/template-alarm.ts'
import { type EmulatedStore, emulatedStore, TABLES } from '../../test/support/emulated-store.ts'
import { type EmulatedEngine, emulatedEngine } from '../../test/support/fan-out.ts'
import { DEMO_SECRET, LAMBDA_ENVIRONMENT } from '../../test/support/lambda-environment.ts'
import { lambdaEvent } from '../../test/support/lambda-event.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Days that are to come, so that no table clears its rows away during a test. */
const START = Date.parse('2100-01-10T12:00:00.000Z')

let store: EmulatedStore
let engine: EmulatedEngine

beforeAll(async () => {
  store = await emulatedStore('dynoxide')
  engine = await emulatedEngine()
  await engine.start()
  await engine.makeTopics()
  const { AWS_ENDPOINT_URL: _, AWS_ACCESS_KEY_ID: __, ...environment } = LAMBDA_ENVIRONMENT
  const own = {
    EVENTS_TABLE: TABLES.events,
    COUNTERS_TABLE: TABLES.counters,
    DELIVERIES_TABLE: TABLES.deliveries,
    REFUSALS_TABLE: TABLES.refusals,
    REPLAYS_TABLE: TABLES.replays,
    EVENTS_TOPIC_ARN: engine.topics.events,
    WEBHOOK_SECRETS: JSON.stringify({ demo: DEMO_SECRET, shop: { sameAs: 'demo' } }),
    POWERTOOLS_METRICS_DISABLED: 'false',
  }
  for (const [name, value] of Object.entries({ ...environment, ...own })) vi.stubEnv(name, value)
})

afterAll(async () => {
  await engine.stop()
  await store.stop()
  vi.unstubAllEnvs()
})

let lines: string[] = []

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: START })
  vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(String(line)))
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

async function invoke<T>(bundle: string, event: object): Promise<T> {
  const { handler } = await import(resolve(`dist/${bundle}/index.mjs`))
  return handler(event, { awsRequestId: 'r', getRemainingTimeInMillis: () => 60_000 })
}

/** Sends a webhook to the packaged function. */
async function send(source: string, secret = DEMO_SECRET): Promise<number> {
  const body = JSON.stringify({ eventId: randomUUID(), eventType: 'greeting.said' })
  const headers = { 'x-signature': createHmac('sha256', secret).update(body).digest('hex') }
  const { statusCode } = await invoke<Reply>(
    'webhooks/provider',
    lambdaEvent('POST', `/webhooks/${source}`, { body, headers }),
  )
  return statusCode
}

/** Runs the packaged scan. @returns the state of the alarm then, and what its log says of sources */
async function scanned(suffix: string) {
  lines = []
  await invoke('jobs/retry-scan', {})
  const said = lines.flatMap((line) => (/"message":"source (?:silent|refused)"/.test(line) ? [JSON.parse(line)] : []))
  return { state: templateAlarm(suffix)(lines), said }
}

const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)

describe('silent-sources', () => {
  it('is on while a source that spoke each day does not, and off when it speaks, or a week later', async () => {
    for (let day = 0; day < 8; day++) {
      later(DAY)
      expect(await send('demo')).toBe(200)
      expect(await scanned('silent-sources')).toEqual({ state: 'OK', said: [] })
    }
    const lastAt = new Date().toISOString()

    later(2 * DAY)
    expect(await scanned('silent-sources')).toMatchObject({ state: 'OK' })
    later(MINUTE)
    const silent = await scanned('silent-sources')
    expect(silent).toMatchObject({ state: 'ALARM', said: [{ source: 'demo', lastAt, usualMs: DAY }] })

    expect(await send('demo')).toBe(200)
    expect(await scanned('silent-sources')).toEqual({ state: 'OK', said: [] })
    later(5 * DAY)
    expect(await scanned('silent-sources')).toMatchObject({ state: 'ALARM' })
    later(7 * DAY)
    expect(await scanned('silent-sources')).toEqual({ state: 'OK', said: [] })
  })
})

describe('refused-sources', () => {
  let days = 0
  beforeEach(() => {
    days += 100
    later(days * DAY)
  })

  async function refuseFive() {
    for (let call = 0; call < 5; call++) {
      expect(await send('demo', 'a secret that was replaced on one side only')).toBe(401)
      later(11_000)
    }
  }

  it('is on while all of one source are refused, though those of another are taken, and off when one is taken', async () => {
    expect(await send('demo')).toBe(200)
    later(10 * MINUTE)
    for (let call = 0; call < 5; call++) {
      expect(await scanned('refused-sources')).toEqual({ state: 'OK', said: [] })
      expect(await send('demo', 'a secret that was replaced on one side only')).toBe(401)
      later(MINUTE)
      expect(await send('shop')).toBe(200)
    }
    expect(await send('demo', 'a secret that was replaced on one side only')).toBe(401)
    expect(await scanned('refused-sources')).toMatchObject({ state: 'ALARM', said: [{ source: 'demo', count: 6 }] })
    later(10 * MINUTE)
    expect(await send('demo')).toBe(200)
    expect(await scanned('refused-sources')).toEqual({ state: 'OK', said: [] })
  })

  it('is on again when the same goes wrong a second time within the hour', async () => {
    for (const _mistake of [1, 2]) {
      expect(await send('demo')).toBe(200)
      expect(await scanned('refused-sources')).toEqual({ state: 'OK', said: [] })
      later(10 * MINUTE)
      await refuseFive()
      expect(await scanned('refused-sources')).toMatchObject({ state: 'ALARM', said: [{ source: 'demo', count: 5 }] })
      later(10 * MINUTE)
    }
  })

  it('is off while strangers make up names', async () => {
    for (let call = 0; call < 20; call++) {
      await send(`made-up-${call}`)
      later(11_000)
    }
    expect(await scanned('refused-sources')).toEqual({ state: 'OK', said: [] })
  })
})
