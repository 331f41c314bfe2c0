import { status as Code, Metadata } from '@grpc/grpc-js'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AccountGate } from '../../../lib/auth/account-gate.ts'
import { refusal } from '../../../lib/auth/claims.ts'
import type { Principal } from '../../../lib/auth/principal.ts'
import { callOf } from '../../../lib/grpc/call.ts'
import { createGuard, type Guard } from '../../../lib/grpc/guard.ts'
import { refusals } from '../../../lib/grpc/status.ts'
import { systemTimers } from '../../../lib/runtime/async.ts'
import { systemClock } from '../../../lib/runtime/time.ts'
import { type Correlation, correlation } from '../../../lib/runtime/trace.ts'
import { anonymousFor } from '../../support/fakes/anonymous.ts'
import { noKeys } from '../../support/fakes/keys.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { recordingMetrics } from '../../support/fakes/metrics.ts'
import { everyAccount, noAccount, tokenHolder } from '../../support/fakes/principals.ts'
import { type RecordingTrail, recordingTrail } from '../../support/fakes/trail.ts'
import { richStatusOf } from '../../support/grpc-status.ts'
import { guardedCall } from './guarded-call.ts'

const STREAM = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo'
const WATCH_HEALTH = '/grpc.health.v1.Health/Watch'
const UNARY = '/gatehouse.v1.AuthService/WhoAmI'
const RETRY = '/gatehouse.v1.WebhookEventService/RetryWebhookEvent'
const DAY = 24 * 60 * 60 * 1000

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function guardFor(
  principal: () => Principal | Promise<Principal>,
  accounts = everyAccount,
  streamAge = () => 100 * DAY,
  trail = recordingTrail(),
): Guard {
  const [clock, timers] = [systemClock, systemTimers]
  const parts = {
    anonymous: anonymousFor(),
    stream: () => undefined,
    streamAge,
    refuse: refusals(recordingLog(), recordingMetrics()),
    trail,
  }
  return createGuard({ check: principal, accounts, keys: noKeys, clock, timers, ...parts })
}

/** A call, once the guard has judged it. */
async function open(guard: Guard, path: string, authorization: readonly string[] = ['Bearer a'], others = {}) {
  const call = guardedCall(guard, path, path === STREAM || path === WATCH_HEALTH, { authorization, ...others })
  const settle = () => vi.advanceTimersByTimeAsync(0)
  await settle()
  return { ...call, settle }
}

const inMilliseconds = (milliseconds: number) => () => tokenHolder('ROLE_USER', new Date(Date.now() + milliseconds))

it('all log lines of a call have one id, and the next call has another', async () => {
  const under: Correlation[] = []
  const guard = guardFor(() => {
    under.push(correlation())
    return tokenHolder('ROLE_USER')
  })
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  for (const _ of ['first', 'second']) {
    guardedCall(guard, UNARY, false, { authorization: 'Bearer a', traceparent }, () => under.push(correlation()))
  }
  expect(under.map(({ callerTraceId }) => callerTraceId)).toEqual(under.map(() => '0af7651916cd43dd8448eb211c80319c'))
  const ids = under.map(({ requestId }) => requestId)
  expect(ids).toHaveLength(8)
  expect(new Set(ids.slice(0, 4)).size).toBe(1)
  expect(new Set(ids)).toEqual(new Set([ids[0], ids[4]]))
  expect(ids[4]).not.toBe(ids[0])
})

describe('before a call', () => {
  it('a valid token: its handler receives the principal', async () => {
    const { handled, metadata, statuses } = await open(guardFor(inMilliseconds(1000)), UNARY)
    expect(handled).toEqual([metadata])
    expect(callOf(metadata).principal?.username).toBe('alice')
    expect(statuses).toEqual([])
  })

  const MISPLACED = 'A token counts in the Authorization header only; one came in the header x-access-token'

  it.each<[string, readonly string[], object, Code, string, object]>([
    ['no authorization', [], {}, Code.UNAUTHENTICATED, 'TOKEN_MISSING', { tokenStatus: 'MISSING' }],
    [
      'another scheme',
      ['Basic YTpi'],
      {},
      Code.UNAUTHENTICATED,
      'SCHEME_NOT_ACCEPTED',
      { reason: 'Basic is not accepted here', accepted: 'Bearer' },
    ],
    [
      'an API key where none counts',
      [],
      { 'x-api-key': 'ghk_x' },
      Code.UNAUTHENTICATED,
      'SCHEME_NOT_ACCEPTED',
      { reason: 'X-Api-Key is not accepted here', accepted: 'Bearer' },
    ],
    [
      'a token elsewhere',
      [],
      { 'x-access-token': 'eyJhbGciOiJIUzUxMiJ9.e30.x' },
      Code.UNAUTHENTICATED,
      'TOKEN_MISPLACED',
      { reason: MISPLACED },
    ],
    ['two authorizations', ['Bearer a', 'Bearer b'], {}, Code.INVALID_ARGUMENT, 'VALIDATION_FAILED', {}],
  ])('G01 %s: the cause, and no handler is called', async (_, authorization, others, code, reason, facts) => {
    const { handled, statuses } = await open(guardFor(inMilliseconds(1000)), UNARY, authorization, others)
    expect(handled).toEqual([])
    expect(statuses.map(({ metadata, ...status }) => [status.code, richStatusOf(metadata)])).toMatchObject([
      [code, { reason, facts }],
    ])
    const challenges = statuses.flatMap(({ metadata }) => metadata.get('www-authenticate'))
    expect(challenges).toEqual(code === Code.UNAUTHENTICATED ? ['Bearer realm="API"'] : [])
  })

  it('G11 a check that throws: INTERNAL, and no handler is called', async () => {
    const { handled, statuses } = await open(
      guardFor(() => {
        throw new Error('secret')
      }),
      UNARY,
    )
    expect(handled).toEqual([])
    expect(statuses).toMatchObject([{ code: Code.INTERNAL, details: 'An unexpected error occurred' }])
  })

  it('G12 a caller who cancels during the check: no handler is called', async () => {
    const { promise, resolve } = Promise.withResolvers<Principal>()
    const { handled, cancel, settle } = await open(
      guardFor(() => promise),
      UNARY,
    )
    cancel()
    resolve(tokenHolder('ROLE_USER'))
    await settle()
    expect(handled).toEqual([])
  })

  describe('a retry whose role is missing', () => {
    const user = { ...tokenHolder('ROLE_USER'), uid: 'id-1' }
    const opened = (trail: RecordingTrail, principal: Principal, path = RETRY, accounts = everyAccount) =>
      open(
        guardFor(() => principal, accounts, undefined, trail),
        path,
      )

    it('leaves a refused row in the audit trail, under the id of the call', async () => {
      const trail = recordingTrail()
      const { statuses, handled } = await opened(trail, user)
      expect([statuses.map(({ code }) => code), handled]).toEqual([[Code.PERMISSION_DENIED], []])
      expect(trail.rows).toMatchObject([
        {
          action: 'event.retried',
          outcome: 'refused',
          error: 'ROLE_REQUIRED',
          actor: { uid: 'id-1', name: 'alice', authType: 'JWT' },
          requestId: expect.stringMatching(/^[\da-f-]{36}$/),
        },
      ])
    })

    it('is refused also while the trail is down', async () => {
      const trail = recordingTrail()
      trail.isDown = true
      const { statuses } = await opened(trail, user)
      expect([statuses.map(({ code }) => code), trail.rows]).toEqual([[Code.PERMISSION_DENIED], []])
    })

    it.each<[string, Principal, string, AccountGate]>([
      ['a retry of an admin', tokenHolder('ROLE_ADMIN'), RETRY, everyAccount],
      ['a method that is not recorded', user, '/gatehouse.v1.SecureService/AdminSecure', everyAccount],
      ['a retry of somebody whose account is gone', user, RETRY, noAccount],
    ])('is the only one that does: none of %s', async (_, principal, path, accounts) => {
      const trail = recordingTrail()
      await opened(trail, principal, path, accounts)
      expect(trail.acts).toEqual([])
    })
  })

  it('a call that did not pass the guard is refused', () => {
    expect(() => callOf(new Metadata())).toThrow('the call was not accepted')
  })
})

describe('G05 during a stream', () => {
  it('the token expires: UNAUTHENTICATED, and later messages of the handler are dropped', async () => {
    const { call, metadata, messages, statuses } = await open(guardFor(inMilliseconds(2000)), STREAM)
    call.sendMessage('in time', () => {})
    vi.advanceTimersByTime(1999)
    expect(statuses).toEqual([])
    vi.advanceTimersByTime(1)
    call.sendMessage('late', () => {})
    call.sendStatus({ code: Code.OK, details: 'late' })
    expect(statuses.map((status) => [status.code, richStatusOf(status.metadata).reason])).toEqual([
      [Code.UNAUTHENTICATED, 'TOKEN_EXPIRED'],
    ])
    expect(messages).toEqual(['in time'])
    expect(callOf(metadata).signal().aborted).toBe(true)
  })

  it.each([
    ['a stream', STREAM, 'TOKEN_REVOKED'],
    ['a call that changes something', RETRY, 'TOKEN_REVOKED'],
    ['a call that is not listed', '/gatehouse.v1.NewService/New', 'TOKEN_REVOKED'],
    ['a call that reads', UNARY, undefined],
  ])('B18 the account behind the token is checked before %s begins: %s', async (_, path, reason) => {
    const { statuses } = await open(guardFor(inMilliseconds(DAY), noAccount), path)
    expect(statuses.map(({ metadata }) => richStatusOf(metadata).reason)[0]).toBe(reason)
  })

  it('a token of sixty days does not end it at once', async () => {
    const { statuses } = await open(guardFor(inMilliseconds(60 * DAY)), STREAM)
    vi.advanceTimersByTime(60 * DAY - 1)
    expect(statuses).toEqual([])
    vi.advanceTimersByTime(1)
    expect(statuses).toHaveLength(1)
  })

  it('a call with one answer may end after its token', async () => {
    const { call, statuses } = await open(guardFor(inMilliseconds(2000)), UNARY)
    vi.advanceTimersByTime(3000)
    call.sendStatus({ code: Code.OK, details: '' })
    expect(statuses).toMatchObject([{ code: Code.OK }])
  })

  it('its end stops the timer', async () => {
    const { call, statuses } = await open(guardFor(inMilliseconds(2000)), STREAM)
    call.sendStatus({ code: Code.OK, details: '' })
    vi.advanceTimersByTime(3000)
    expect(statuses).toMatchObject([{ code: Code.OK }])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('G12 its caller cancels: the handler receives the abort signal', async () => {
    const { cancel, metadata } = await open(guardFor(inMilliseconds(2000)), STREAM)
    cancel()
    expect(callOf(metadata).signal().aborted).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('G05 a stream whose token is no longer valid under the present keys', () => {
  it('ends within a minute', async () => {
    let check = inMilliseconds(DAY)
    const { statuses } = await open(
      guardFor(() => check()),
      STREAM,
    )
    await vi.advanceTimersByTimeAsync(120_000)
    expect(statuses).toEqual([])
    check = () => {
      throw refusal('INVALID_SIGNATURE', 'forged')
    }
    await vi.advanceTimersByTimeAsync(60_000)
    expect(statuses.map(({ code, metadata }) => [code, richStatusOf(metadata).reason])).toEqual([
      [Code.UNAUTHENTICATED, 'TOKEN_INVALID_SIGNATURE'],
    ])
  })

  it('ends on a method that needs no token as well', async () => {
    let check = inMilliseconds(DAY)
    const { statuses } = await open(
      guardFor(() => check()),
      WATCH_HEALTH,
    )
    check = () => {
      throw refusal('INVALID_SIGNATURE', 'forged')
    }
    await vi.advanceTimersByTimeAsync(60_000)
    expect(statuses).toMatchObject([{ code: Code.UNAUTHENTICATED }])
  })
})

describe('a stream at its maximum age', () => {
  const ages = [5000, 6000]
  const oldGuard = () => guardFor(inMilliseconds(DAY), everyAccount, () => ages.shift() ?? 7000)

  it('ends as unavailable, for a retry, each at its own time', async () => {
    const guard = oldGuard()
    const [one, other] = [await open(guard, STREAM), await open(guard, STREAM)]
    vi.advanceTimersByTime(5000)
    expect([one.statuses.length, other.statuses.length]).toEqual([1, 0])
    vi.advanceTimersByTime(1000)
    for (const { statuses, metadata } of [one, other]) {
      expect(statuses).toMatchObject([{ code: Code.UNAVAILABLE }])
      expect(richStatusOf(statuses[0]?.metadata)).toMatchObject({ reason: 'UNAVAILABLE', retrySeconds: 5 })
      expect(callOf(metadata).signal().aborted).toBe(true)
    }
  })

  it('is never a call with one answer', async () => {
    const { statuses } = await open(oldGuard(), UNARY)
    vi.advanceTimersByTime(DAY)
    expect(statuses).toEqual([])
  })
})

describe('when the server stops', () => {
  it('open streams end as unavailable, for a retry elsewhere', async () => {
    const guard = guardFor(inMilliseconds(2000))
    const { statuses } = await open(guard, STREAM)
    expect(guard.openStreams).toBe(1)
    guard.endStreams()
    expect(guard.openStreams).toBe(0)
    expect(statuses).toMatchObject([{ code: Code.UNAVAILABLE }])
    expect(richStatusOf(statuses[0]?.metadata).retrySeconds).toBe(5)
  })

  it('later streams end as well, but a call with one answer is accepted', async () => {
    const guard = guardFor(inMilliseconds(2000))
    guard.endStreams()
    const [stream, single] = [await open(guard, STREAM), await open(guard, UNARY)]
    expect(stream.statuses).toMatchObject([{ code: Code.UNAVAILABLE }])
    expect(stream.handled).toEqual([])
    expect(single.handled).toHaveLength(1)
  })
})
