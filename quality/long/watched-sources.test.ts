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
const DAY = 24 * 60 * MINUTE

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
    WEBHOOK_SECRETS: JSON.stringify({ demo: DEMO_SECRET }),
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

/** Runs the packaged scan. @returns the state of the alarm then, and what its log says of sources that are refused */
async function scanned() {
  lines = []
  await invoke('jobs/retry-scan', {})
  const said = lines.flatMap((line) => (line.includes('"message":"source refused"') ? [JSON.parse(line)] : []))
  return { state: templateAlarm('refused-sources')(lines), said }
}

const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)

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

  it('is on again when the same failure occurs a second time within the hour', async () => {
    for (const _mistake of [1, 2]) {
      expect(await send('demo')).toBe(200)
      expect(await scanned()).toEqual({ state: 'OK', said: [] })
      later(10 * MINUTE)
      await refuseFive()
      expect(await scanned()).toMatchObject({ state: 'ALARM', said: [{ source: 'demo', count: 5 }] })
      later(10 * MINUTE)
    }
  })

  it('is off while callers invent names', async () => {
    for (let call = 0; call < 20; call++) {
      await send(`made-up-${call}`)
      later(11_000)
    }
    expect(await scanned()).toEqual({ state: 'OK', said: [] })
  })
})
