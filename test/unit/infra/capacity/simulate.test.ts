import { describe, expect, it } from 'vitest'
import { DEMAND, DEPLOYED, type Limits } from '../../../../infra/capacity/limits.ts'
import { SCENARIOS } from '../../../../infra/capacity/scenarios.ts'
import { type Bottleneck, type Load, simulate } from '../../../../infra/capacity/simulate.ts'

/** Nothing of these refuses anything. */
const BOUNDLESS: Limits = {
  requestRate: 1e6,
  requestBurst: 1e6,
  concurrency: 1e6,
  newFunctions: 1e6,
  keyUnits: 1e6,
  tableUnits: 1e6,
}

const LOAD: Load = { perSecond: 100, seconds: 20, senders: 4 }

describe.each(SCENARIOS)('$name', ({ load, limits }) => {
  it('loses nothing but what its sender gives up', () => {
    const { sent, accepted, lost } = simulate(load, limits)
    expect(accepted + lost).toBe(sent)
  })
})

describe('a simulated load', () => {
  it('is accepted at once where nothing is bounded', () => {
    const { acceptedAtFirst, refused, lastAt } = simulate(LOAD, BOUNDLESS)
    expect(acceptedAtFirst).toBe(2000)
    expect([...refused]).toEqual([])
    expect(lastAt).toBe(19)
  })

  it.each<[Bottleneck, Partial<Limits>, Partial<Limits>]>([
    ['the HTTP API', { requestRate: 100, requestBurst: 100 }, { requestRate: 99, requestBurst: 100 }],
    ['functions', { concurrency: DEMAND.milliseconds / 10 }, { concurrency: DEMAND.milliseconds / 10.2 }],
    ["the sender's key", { keyUnits: 25 * DEMAND.senderUnits }, { keyUnits: 25 * DEMAND.senderUnits - 1 }],
    ['the table as a whole', { tableUnits: 100 * DEMAND.senderUnits }, { tableUnits: 100 * DEMAND.senderUnits - 1 }],
  ])('is refused by %s just above its limit, and not at it', (part, enough, tooLittle) => {
    expect([...simulate(LOAD, { ...BOUNDLESS, ...enough }).refused.keys()]).toEqual([])
    expect([...simulate(LOAD, { ...BOUNDLESS, ...tooLittle }).refused.keys()]).toEqual([part])
  })

  it('is refused by the key of a list when many senders share it', () => {
    const limits = { ...BOUNDLESS, keyUnits: 10 * DEMAND.listUnits }
    expect([...simulate({ ...LOAD, senders: 100 }, limits).refused.keys()]).toEqual(["a list's key"])
  })

  it('finds functions that start too slowly, and then are there', () => {
    const limits = { ...BOUNDLESS, newFunctions: 1 }
    const { acceptedAtFirst, refused, lost } = simulate(LOAD, limits)
    expect([...refused.keys()]).toEqual(['functions'])
    expect(acceptedAtFirst).toBeGreaterThan(1000)
    expect(lost).toBe(0)
  })

  it('that is never let through is given up', () => {
    expect(simulate(LOAD, { ...DEPLOYED, concurrency: 0 })).toMatchObject({ accepted: 0, lost: 2000 })
  })
})
