import { describe, expect, it } from 'vitest'
import {
  afterFailure,
  afterSuccess,
  disabled,
  enabled,
  type Failed,
  gateOf,
  type Health,
  healthyOf,
  mustWrite,
  PROBE_PAUSE,
  takingProbe,
} from '../../../lib/deliver/breaker.ts'
import { createCircuit } from '../../../lib/deliver/circuit.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'

const at = (seconds: number) => new Date(START.getTime() + seconds * 1000)
const FAILED: Failed = { kind: 'failed', answer: 'HTTP 500' }
const HEALTHY = healthyOf('crm')
const succeeded = (health: Health) => afterSuccess(health, 'HTTP 204', at(90))
const ORDER = { at: at(500), user: 'admin', reason: 'mended' }

/** The health after a failure at each of these seconds. */
const failing = (...seconds: readonly number[]) =>
  seconds.reduce<Health>((health, second) => afterFailure(health, FAILED, at(second)), HEALTHY)
const OPEN = failing(0, 1, 2, 3, 4, 5, 6, 7, 8, 60)

describe('D07 the circuit of a destination', () => {
  it('opens with the tenth failure in a row, a minute after the first', () => {
    expect(OPEN).toMatchObject({ state: 'OPEN', since: at(60), probeAt: at(120), lastAnswer: 'HTTP 500' })
  })

  it.each([
    ['nine failures, at any distance in time', failing(0, 60, 120, 180, 240, 300, 360, 420, 480)],
    ['ten failures within less than a minute', failing(0, 1, 2, 3, 4, 5, 6, 7, 8, 59.999)],
  ])('stays closed after %s', (_name, health) => {
    expect(health.state).toBe('CLOSED')
  })

  it('counts only consecutive failures: one success resets the count', () => {
    const nine = failing(0, 1, 2, 3, 4, 5, 6, 7, 8)
    const again = afterFailure(succeeded(nine) ?? nine, FAILED, at(100))
    expect(again).toMatchObject({ state: 'CLOSED', failures: 1, failingSince: at(100) })
  })

  it('closes with the first success', () => {
    const closed = { state: 'CLOSED', failures: 0, probeAt: undefined, since: undefined }
    expect(succeeded(OPEN)).toMatchObject({ ...closed, lastAnswer: 'HTTP 204', lastAnswerAt: at(90) })
    expect(succeeded(failing(0))).toMatchObject({ ...closed, lastAnswer: 'HTTP 204', lastAnswerAt: at(90) })
  })

  it('writes nothing without failures', () => {
    expect(succeeded(HEALTHY)).toBeUndefined()
  })

  it('allows one probe a minute', () => {
    expect(takingProbe(OPEN, at(119))).toBeUndefined()
    const taken = takingProbe(OPEN, at(121))
    expect(taken).toMatchObject({ state: 'OPEN', probeAt: at(121 + PROBE_PAUSE / 1000) })
    expect(taken && takingProbe(taken, at(121))).toBeUndefined()
  })

  it('postpones the next probe after a failed one', () => {
    expect(afterFailure(OPEN, FAILED, at(130))).toMatchObject({ state: 'OPEN', since: at(60), probeAt: at(190) })
  })
})

describe('the pause that a destination requests', () => {
  it.each([
    ['429 or 503 pauses the whole destination', { isBusy: true as const, retryAfter: 30_000 }, at(30)],
    ['another failure delays only its delivery', { retryAfter: 30_000 }, undefined],
    ['429 without Retry-After pauses nothing', { isBusy: true as const }, undefined],
    ['at most two hours', { isBusy: true as const, retryAfter: 86_400_000 }, at(7200)],
  ])('Retry-After of %s', (_name, asked, heldUntil) => {
    expect(afterFailure(HEALTHY, { ...FAILED, ...asked }, at(0)).heldUntil).toEqual(heldUntil)
  })

  it('never shortens a pause', () => {
    const held = afterFailure(HEALTHY, { ...FAILED, isBusy: true, retryAfter: 60_000 }, at(0))
    expect(afterFailure(held, { ...FAILED, isBusy: true, retryAfter: 1000 }, at(1)).heldUntil).toEqual(at(60))
  })

  it('is disabled by 410, until an operator enables it', () => {
    const gone = afterFailure(HEALTHY, { ...FAILED, answer: 'HTTP 410', isGone: true }, at(1))
    expect(gone).toMatchObject({ state: 'DISABLED', since: at(1), reason: 'HTTP 410', by: undefined })
    expect(succeeded(gone)).toBeUndefined()
    expect(afterFailure(gone, FAILED, at(2)).state).toBe('DISABLED')
    expect(afterFailure(disabled(HEALTHY, ORDER), { ...FAILED, isGone: true }, at(2)).by).toBe('admin')
    expect(enabled(gone, ORDER)).toMatchObject({ state: 'CLOSED', failures: 0, by: 'admin', reason: 'mended' })
  })
})

describe('what is told of a destination', () => {
  const NEWS = { ...FAILED, source: 'gatehouse' }
  const openedBy = (last: Failed) => afterFailure(failing(0, 1, 2, 3, 4, 5, 6, 7, 8), last, at(60))
  const gone = (failed: Failed) => afterFailure(OPEN, { ...failed, isGone: true }, at(130))

  it.each([
    ['an opening', OPEN, 'OPEN'],
    ['an opening by a failure with news: not yet', openedBy(NEWS), undefined],
    ['then by the next failure with another event', afterFailure(openedBy(NEWS), FAILED, at(130)), 'OPEN'],
    ['and once it is, no failure takes it back', afterFailure(OPEN, NEWS, at(130)), 'OPEN'],
    ['its end', succeeded(OPEN), undefined],
    ['a 410, whatever was delivered', gone(NEWS), 'DISABLED'],
    ['an order', disabled(OPEN, ORDER), 'DISABLED'],
    ['its end by an order', enabled(gone(FAILED), ORDER), undefined],
  ])('%s', (_name, health, told) => {
    expect(health?.told).toBe(told)
  })

  it('is written, even if another failure was within the last second', () => {
    expect(mustWrite(openedBy(NEWS), afterFailure(openedBy(NEWS), FAILED, at(60)))).toBe(true)
  })
})

describe('the gate', () => {
  const DISABLED = disabled(OPEN, ORDER)
  const HELD = { ...HEALTHY, heldUntil: at(10) }

  it.each([
    ['a hint', 'open', OPEN, false, 'shut'],
    ['a probe', 'open', OPEN, true, 'pass'],
    ['a hint', 'disabled', DISABLED, false, 'shut'],
    ['a probe', 'disabled', DISABLED, true, 'shut'],
    ['a hint', 'held', HELD, false, 'held'],
    ['a probe', 'open and held', { ...OPEN, heldUntil: at(10) }, true, 'held'],
    ['a hint', 'no longer held', { ...HEALTHY, heldUntil: at(0) }, false, 'pass'],
  ] as const)('%s if the circuit is %s', (_hint, _state, health, isProbe, kind) => {
    expect(gateOf(health, isProbe, at(0)).kind).toBe(kind)
  })
})

describe('the health that a process knows', () => {
  it('is read again once it is old, and by a clock that was set back', async () => {
    const clock = fixedClock()
    let reads = 0
    const read = async () => {
      reads += 1
      return HEALTHY
    }
    const circuit = createCircuit({ read } as never, 'crm', clock)
    for (const moved of [0, 1, 60_000, -3_600_000]) {
      clock.advance(moved)
      await circuit.read()
    }
    expect(reads).toBe(3)
  })
})
