import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import {
  boundedLog,
  createAdmission,
  createPlaces,
  type Place,
  type Places,
  type Shortage,
} from '../../../lib/runtime/limits.ts'
import { anonymousFor } from '../../support/fakes/anonymous.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { recordingMetrics } from '../../support/fakes/metrics.ts'
import { virtualTime } from '../../support/fakes/timers.ts'

const PROXY = '10.0.0.1'

function behindProxy(inAll: number, perAddress: number) {
  const log = recordingLog()
  const metrics = recordingMetrics()
  const { timers } = virtualTime()
  const anonymous = anonymousFor({ inAll, perAddress, proxies: ['10.0.0.0/8'], timers, log, metrics })
  const take = (peer: string | undefined, forwarded?: string) => anonymous.take({ peer, forwarded }, () => {})
  return { log, metrics, anonymous, take }
}

describe('T19 behind a trusted proxy', () => {
  it('strangers have places by the addresses that the proxy names', () => {
    const { take } = behindProxy(10, 1)
    expect(take(PROXY, '192.0.2.1')).toBeDefined()
    expect(take(PROXY, '198.51.100.7, 192.0.2.1')).toBeUndefined()
    expect(take(PROXY, '192.0.2.2')).toBeDefined()
    expect(take('192.0.2.2', '192.0.2.3')).toBeUndefined()
  })

  it('requests of the proxy itself have separate places, up to the limit', () => {
    const { take } = behindProxy(2, 1)
    for (const address of ['192.0.2.1', '192.0.2.2']) take(PROXY, address)
    expect([take(PROXY), take(PROXY)]).not.toContain(undefined)
    expect(take(PROXY)).toBeUndefined()
  })
})

it('a rejected stranger is counted, and logged with the address and the reason, without its input', () => {
  const { log, metrics, anonymous, take } = behindProxy(2, 1)
  const lose = vi.fn()
  anonymous.take({ peer: '::ffff:192.0.2.1' }, lose)
  take('192.0.2.1')
  take('192.0.2.2')
  take('192.0.2.3', 'secret')
  expect(lose).toHaveBeenCalledOnce()
  expect(log.entries).toEqual([
    {
      level: 'info',
      message: 'port: rejected, no place without a token, per address',
      fields: { address: '192.0.2.1' },
    },
    {
      level: 'info',
      message: 'port: rejected, the place belongs to another client',
      fields: { address: '192.0.2.1' },
    },
  ])
  expect(metrics.counted).toEqual(Array(2).fill(['ChannelRefused', { channel: 'port', reason: 'turned-away' }]))
})

it('a closed connection has no place', () => {
  expect(behindProxy(1, 1).take(undefined)).toBeUndefined()
})

const isPlace = (taken: Place | Shortage): taken is Place => typeof taken !== 'string'

/** Takes a place for each address; who has lost it again is told by its index. */
function filled(inAll: number, perAddress: number, addresses: readonly string[]) {
  const places = createPlaces({ inAll, perAddress })
  const lost: number[] = []
  const taken = addresses.map((address, index) => places.take(address, () => void lost.push(index)))
  return { places, lost, taken }
}

describe('T19 an address', () => {
  it('has its places and no others', () => {
    const { taken } = filled(10, 2, ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2'])
    expect(taken.map(isPlace)).toEqual([true, true, false, true])
    expect(taken[2]).toBe('per address')
  })

  it('of IPv6 has them with its whole network', () => {
    const { taken } = filled(10, 1, ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1'])
    expect(taken.map(isPlace)).toEqual([true, false, true])
  })

  it('has one again when it gave one back, and gives each back once', () => {
    const { places, taken } = filled(2, 2, ['192.0.2.1', '192.0.2.1'])
    const [first] = taken.filter(isPlace)
    first?.leave()
    first?.leave()
    expect(isPlace(places.take('192.0.2.1', () => {}))).toBe(true)
    expect(places.take('192.0.2.1', () => {})).toBe('per address')
  })
})

describe('T19 when all places are taken', () => {
  it('a caller from another address gets the oldest place of the address with the most', () => {
    const { lost, taken } = filled(4, 3, ['192.0.2.1', '192.0.2.2', '192.0.2.2', '192.0.2.2', '192.0.2.3'])
    expect(taken.every(isPlace)).toBe(true)
    expect(lost).toEqual([1])
  })

  it('if no address has more than one, the oldest is replaced', () => {
    expect(filled(2, 2, ['192.0.2.1', '192.0.2.2', '192.0.2.3']).lost).toEqual([0])
  })

  it('no address takes a place from those with as few', () => {
    const { lost, taken } = filled(4, 3, ['192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.2', '192.0.2.1'])
    expect([taken.at(-1), lost]).toEqual(['in all', []])
  })

  it('a caller who has lost a place gives none back', () => {
    const { places, taken } = filled(1, 1, ['192.0.2.1', '192.0.2.2'])
    const [lost] = taken.filter(isPlace)
    lost?.leave()
    const lose = vi.fn()
    expect(isPlace(places.take('192.0.2.3', lose))).toBe(true)
    expect(isPlace(places.take('192.0.2.4', () => {}))).toBe(true)
    expect(lose).toHaveBeenCalledOnce()
  })

  it('an address without a place always gets one, and their number never exceeds the limit', () => {
    const address = fc.integer({ min: 1, max: 9 }).map((last) => `192.0.2.${last}`)
    fc.assert(
      fc.property(fc.array(fc.tuple(address, fc.boolean()), { maxLength: 60 }), (steps) => {
        const places = createPlaces({ inAll: 5, perAddress: 3 })
        const held = new Map<Place, string>()
        for (const [from, isGoing] of steps) {
          const own = [...held.keys()].filter((place) => held.get(place) === from)
          if (isGoing) leaveAll(own, held)
          else expect(come(places, from, held) || own.length > 0).toBe(true)
          expect(held.size).toBeLessThanOrEqual(5)
        }
      }),
    )
  })
})

function leaveAll(own: readonly Place[], held: Map<Place, string>): void {
  for (const place of own) {
    place.leave()
    held.delete(place)
  }
}

/** @returns whether there was a place */
function come(places: Places, from: string, held: Map<Place, string>): boolean {
  const taken: Place | Shortage = places.take(from, () => held.delete(taken as Place))
  if (isPlace(taken)) held.set(taken, from)
  return isPlace(taken)
}

it('T19 the first lines that clients without a token cause are written, and the number of the others', () => {
  const log = recordingLog()
  const time = virtualTime()
  const write = boundedLog(log, time.timers)
  for (let number = 0; number < 1000; number++) write('turned away', { number })
  write('something else')
  expect(log.of('turned away')).toEqual(Array.from({ length: 10 }, (_, number) => ({ number })))
  expect(log.of('something else')).toHaveLength(1)
  time.pass(10_000)
  expect(log.entries.at(-1)).toEqual({ level: 'info', message: 'turned away', fields: { more: 990 } })
  expect(log.of('something else')).toHaveLength(1)
  write('turned away', { number: 1000 })
  expect(log.entries.at(-1)?.fields).toEqual({ number: 1000 })
})

const FULL = expect.objectContaining({ code: 'TOO_MANY_REQUESTS', details: { retryAfterSeconds: 5 } })

it('a place that is given back is one place', () => {
  const { enter } = createAdmission(10, 2)
  const leave = enter('alice')
  enter('alice')
  leave()
  enter('alice')
  expect(() => enter('alice')).toThrow(FULL)
})

it('T08 there is a total number of places, for any names', () => {
  const { enter } = createAdmission(2, 2)
  const leave = enter('alice')
  enter('bob')
  expect(() => enter('carol')).toThrow(expect.objectContaining({ code: 'UNAVAILABLE' }))
  leave()
  expect(() => enter('carol')).not.toThrow()
})
