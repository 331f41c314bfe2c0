import { status as Code, Metadata } from '@grpc/grpc-js'
import { describe, expect, it } from 'vitest'
import type { ApiKey } from '../../../lib/auth/keys/api-key.ts'
import { createKeyGate } from '../../../lib/auth/keys/gate.ts'
import { createGuard } from '../../../lib/grpc/guard.ts'
import { refusals } from '../../../lib/grpc/status.ts'
import { anonymousFor } from '../../support/fakes/anonymous.ts'
import { ADMINS, MemoryKeys, newApiKey } from '../../support/fakes/keys.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { recordingMetrics } from '../../support/fakes/metrics.ts'
import { everyAccount, tokenHolder } from '../../support/fakes/principals.ts'
import { virtualTime } from '../../support/fakes/timers.ts'
import { recordingTrail } from '../../support/fakes/trail.ts'
import { richStatusOf } from '../../support/grpc-status.ts'
import { type Fields, guardedCall } from './guarded-call.ts'

const WATCH = '/gatehouse.v1.WebhookEventService/WatchWebhookEvents'
const GET = '/gatehouse.v1.WebhookEventService/GetWebhookEvent'
const LIST = '/gatehouse.v1.WebhookEventService/ListWebhookEvents'

async function world(changes: Partial<ApiKey> = {}) {
  const time = virtualTime()
  const keys = new MemoryKeys()
  const { key, text } = newApiKey(changes)
  await keys.add(key)
  const log = recordingLog()
  const trail = recordingTrail(time.clock, log)
  const guard = createGuard({
    check: () => tokenHolder('ROLE_ADMIN'),
    accounts: everyAccount,
    keys: createKeyGate({ keys, accounts: ADMINS, clock: time.clock, log }),
    anonymous: anonymousFor(),
    stream: () => undefined,
    streamAge: () => 86_400_000,
    refuse: refusals(log, recordingMetrics()),
    trail,
    ...time,
  })

  async function pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      time.pass(1000)
      await new Promise(setImmediate)
    }
  }

  async function open(path: string, fields: Fields) {
    const call = guardedCall(guard, path, path === WATCH, fields)
    await new Promise(setImmediate)
    return call
  }

  return { time, keys, key, text, log, trail, pass, open }
}

describe('a call with a key', () => {
  it.each([WATCH, GET, LIST])('is accepted for %s', async (path) => {
    const { open, text } = await world()
    const { handled, statuses } = await open(path, { 'x-api-key': text })
    expect([handled.length, statuses]).toEqual([1, []])
  })

  it.each([
    '/gatehouse.v1.WebhookEventService/RetryWebhookEvent',
    '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
    '/gatehouse.v1.WebhookEventService/getWebhookEvent',
  ])('K18 counts as one without credentials for %s', async (path) => {
    const { open, text, keys, trail } = await world()
    const { handled, statuses } = await open(path, { 'x-api-key': text })
    expect([handled, statuses.map(({ code }) => code)]).toEqual([[], [Code.UNAUTHENTICATED]])
    expect([keys.finds, trail.acts]).toEqual([0, []])
  })

  it('is accepted with the token if keys do not count', async () => {
    const { open, text } = await world()
    const path = '/gatehouse.v1.WebhookEventService/RetryWebhookEvent'
    expect((await open(path, { 'x-api-key': text, authorization: 'Bearer a' })).handled).toHaveLength(1)
  })

  it.each<[string, (text: string) => Fields]>([
    ['an additional token', (text) => ({ 'x-api-key': text, authorization: 'Bearer a' })],
    ['two', (text) => ({ 'x-api-key': [text, text] })],
  ])('K17 with %s is INVALID_ARGUMENT', async (_, fields) => {
    const { open, text } = await world()
    const { handled, statuses } = await open(GET, fields(text))
    expect([handled, statuses.map(({ code }) => code)]).toEqual([[], [Code.INVALID_ARGUMENT]])
  })

  it('K16 that is invalid is UNAUTHENTICATED, and the log contains nothing of it', async () => {
    const { open, text, log } = await world()
    const wrong = `${text.slice(0, -3)}AAA`
    const { handled, statuses } = await open(GET, { 'x-api-key': wrong })
    const [status] = statuses
    expect([handled, status?.code, status?.details]).toEqual([[], Code.UNAUTHENTICATED, 'Invalid API key'])
    expect(richStatusOf(status?.metadata ?? new Metadata())).toMatchObject({
      reason: 'API_KEY_INVALID',
      facts: { authType: 'API Key', reason: 'Bad credentials' },
    })
    expect(JSON.stringify(log.entries)).not.toContain(text.slice(18, 40))
  })
})

describe('K19 a stream that a key opened', () => {
  it('continues while the key is valid, and ends within 60 seconds of its deletion', async () => {
    const { keys, key, open, pass, text, time } = await world()
    const { statuses } = await open(WATCH, { 'x-api-key': text })
    await pass(300)
    expect(statuses).toEqual([])
    await keys.remove(key.id)
    await pass(60)
    expect(statuses.map(({ code, details }) => [code, details])).toEqual([[Code.UNAUTHENTICATED, 'Invalid API key']])
    expect(time.pending()).toBe(0)
  })
})
