import { describe, expect, it, vi } from 'vitest'
import { recordingLog } from '../../support/fakes/log.ts'
import { recordingMetrics } from '../../support/fakes/metrics.ts'
import { strangersFor } from '../../support/fakes/strangers.ts'
import { virtualTime } from '../../support/fakes/timers.ts'

const PROXY = '10.0.0.1'

function behindProxy(inAll: number, perAddress: number) {
  const log = recordingLog()
  const metrics = recordingMetrics()
  const { timers } = virtualTime()
  const strangers = strangersFor({ inAll, perAddress, proxies: ['10.0.0.0/8'], timers, log, metrics })
  const take = (peer: string | undefined, forwarded?: string) => strangers.take({ peer, forwarded }, () => {})
  return { log, metrics, strangers, take }
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
  const { log, metrics, strangers, take } = behindProxy(2, 1)
  const lose = vi.fn()
  strangers.take({ peer: '::ffff:192.0.2.1' }, lose)
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
