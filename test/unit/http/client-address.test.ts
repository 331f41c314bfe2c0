import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressOf, type HttpEvent } from '../../../lib/http/message.ts'
import { canonicalAddress, type Networks, NO_NETWORKS, networksOf } from '../../../lib/runtime/address.ts'
import { httpEvent } from '../../support/fakes/http.ts'

const PROXIES = networksOf(['10.0.0.0/8', '2001:db8:ffff::/48'])

function callFrom(sourceIp: string, forwarded?: string): HttpEvent {
  const headers: Record<string, string> = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  const event = httpEvent({ headers })
  return { ...event, requestContext: { ...event.requestContext, http: { ...event.requestContext.http, sourceIp } } }
}

const callerOf = (sourceIp: string, forwarded?: string, trustedProxies: Networks = PROXIES) =>
  addressOf(callFrom(sourceIp, forwarded), { trustedProxies })

describe("a caller's address is", () => {
  it.each<[string, string, string | undefined, string]>([
    ['the one from the gateway', '192.0.2.1', undefined, '192.0.2.1'],
    ['that one, for any header of a stranger', '192.0.2.1', '203.0.113.9', '192.0.2.1'],
    ['the last one, when the caller sent some itself', '10.0.0.1', '127.0.0.1, 203.0.113.9', '203.0.113.9'],
    ['the one from the first of several proxies', '10.0.0.1', '203.0.113.9,10.0.0.3,10.0.0.2', '203.0.113.9'],
    ['the proxy’s own, when it is the caller', '10.0.0.1', '10.0.0.3,10.0.0.2', '10.0.0.3'],
    ['a proxy that forwards nothing', '10.0.0.1', undefined, '10.0.0.1'],
    ['a proxy that forwards an empty text', '10.0.0.1', ' , ', '10.0.0.1'],
    ['without its port', '10.0.0.1', '203.0.113.9:4711', '203.0.113.9'],
    ['without its port, in IPv6', '2001:db8:ffff::1', '[2001:DB8::1]:4711', '2001:db8::1'],
    ['IPv4, although written in IPv6', '::ffff:10.0.0.1', '::FFFF:203.0.113.9', '203.0.113.9'],
    ['the proxy, for a name', '10.0.0.1', 'unknown', '10.0.0.1'],
    ['the proxy, for a long port', '10.0.0.1', '203.0.113.9:123456', '10.0.0.1'],
    ['the proxy, for a zone', '10.0.0.1', 'fe80::1%eth0', '10.0.0.1'],
  ])('%s', (_, sourceIp, forwarded, address) => {
    expect(callerOf(sourceIp, forwarded)).toBe(address)
  })

  it('the one from the gateway, in any form', () => {
    expect(callerOf('unknown', '203.0.113.9')).toBe('unknown')
  })
})

/** What callers and proxies may write. */
const hop = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.ipV4().map((address) => `${address}:80`),
  fc.constantFrom('10.0.0.1', '10.9.9.9', '2001:db8:ffff::2', '', 'unknown', '[', '::ffff:10.0.0.1'),
  fc.string(),
)
const header = fc.oneof(
  fc.array(hop).map((hops) => hops.join(',')),
  fc.string(),
)

describe('B11 a forged X-Forwarded-For', () => {
  it('never changes the address of a caller who is not a trusted proxy', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), header, (sourceIp, forwarded) => {
        const isTrusted = PROXIES.has(canonicalAddress(sourceIp) ?? '')
        fc.pre(!isTrusted)
        expect(callerOf(sourceIp, forwarded)).toBe(canonicalAddress(sourceIp))
        expect(callerOf('10.0.0.1', forwarded, NO_NETWORKS)).toBe('10.0.0.1')
      }),
    )
  })

  it('never changes the address from a trusted proxy', () => {
    const client = fc.ipV4().filter((address) => !PROXIES.has(address))
    const proxies = fc.array(fc.constantFrom('10.0.0.2', '10.0.0.3', '2001:db8:ffff::9'))
    fc.assert(
      fc.property(header, client, proxies, (forged, address, between) => {
        expect(callerOf('10.0.0.1', [forged, address, ...between].join(','))).toBe(address)
      }),
    )
  })
})
