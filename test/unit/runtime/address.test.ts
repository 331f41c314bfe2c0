import { isIP } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalAddress, isLocalHost, NO_NETWORKS, networkOf, networksOf } from '../../../lib/runtime/address.ts'

describe('the network of an address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['1:2:3::5:6:7:8', '1:2:3:0::/64'],
    ['unknown', 'unknown'],
  ])('%s belongs to %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })

  it('is the same for all with the same first 64 bits, and for no others', () => {
    const [one, two] = [networksOf(['2001:db8:a:b::/64']), networkOf('2001:db8:a:b::1')]
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        const address = canonicalAddress(text) ?? text
        expect(networkOf(address) === two).toBe(one.has(address))
      }),
    )
    expect(networkOf('2001:db8:a:b:ffff:ffff:ffff:ffff')).toBe(two)
  })
})

describe('an address has one canonical form', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['::192.0.2.1', '::192.0.2.1'],
  ])('%s is %s', (text, name) => {
    expect(canonicalAddress(text)).toBe(name)
  })

  it.each(['', '192.0.2.01', '0x7f.0.0.1', '2130706433', '192.0.2.1:80', 'fe80::1%eth0', '192.0.2.1\n', '١.٢.٣.٤'])(
    '%j has none',
    (text) => {
      expect(canonicalAddress(text)).toBeUndefined()
    },
  )

  it('which is stable, for any input', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()), (text) => {
        const name = canonicalAddress(text)
        expect(name === undefined).toBe(isIP(text) === 0 || text.includes('%'))
        if (name !== undefined) expect(canonicalAddress(name.toUpperCase())).toBe(name)
      }),
    )
  })
})

describe('networks', () => {
  it.each<[string, string, boolean]>([
    ['192.0.2.1', '192.0.2.2', false],
    ['10.0.0.0/8', '10.255.0.1', true],
    ['10.1.2.3/8', '10.255.0.1', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['0.0.0.0/0', '203.0.113.9', true],
    ['2001:DB8::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['::ffff:10.0.0.0/104', '10.1.1.1', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['10.0.0.0/8', 'unknown', false],
  ])('%s has %s: %s', (range, address, isIn) => {
    expect(networksOf(['198.51.100.7', range]).has(address)).toBe(isIn)
  })

  it('none contain no address', () => {
    expect([NO_NETWORKS.has('127.0.0.1'), networksOf([]).has('127.0.0.1')]).toEqual([false, false])
  })

  it.each(['localhost', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/255.0.0.0', '2001:db8::/129', '::ffff:10.0.0.0/95'])(
    'are not %s',
    (range) => {
      expect(() => networksOf([range])).toThrow('must be IP addresses or CIDR ranges, separated by commas')
    },
  )
})

const BASE_URL = new URL('https://dev.example.com:3000/')

it.each(['LOCALHOST', 'console.localhost:3001', '127.1.2.3', '[::1]:3001', 'dev.example.com:3001'])(
  'the host %s belongs to a local run',
  (host) => {
    expect(isLocalHost(host, BASE_URL, '127.0.0.1')).toBe(true)
  },
)

it.each([
  undefined,
  '',
  'localhost.evil.example',
  'notlocalhost',
  '127.0.0.1.evil.example',
  'localhost@evil.example',
  '0.0.0.0:3001',
  '[::]:3001',
  'x.dev.example.com',
])('T20 the host %j does not', (host) => {
  expect(isLocalHost(host, BASE_URL, '127.0.0.1')).toBe(false)
})

it.each(['gatehouse:3000', '172.17.0.2', '[fd00::2]:3001', 'host.docker.internal', 'api.Test:3000', 'printer.local'])(
  'the host %s belongs to a run that listens for other machines, and not to one of this machine alone',
  (host) => {
    expect(isLocalHost(host, BASE_URL, '0.0.0.0')).toBe(true)
    expect(isLocalHost(host, BASE_URL, '127.0.0.1')).toBe(false)
  },
)

it.each(['evil.example', 'internal.evil.example', 'gatehouse.evil', 'a..test', '', 'local.', '999.1.1.1'])(
  'the host %j does not, wherever the run listens',
  (host) => {
    expect(isLocalHost(host, BASE_URL, '0.0.0.0')).toBe(false)
  },
)
