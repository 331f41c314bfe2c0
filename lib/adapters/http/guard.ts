import { type LookupAddress, type LookupOptions, lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { NotSent } from '../../deliver/carrier.ts'
import { canonicalAddress, networksOf } from '../../runtime/address.ts'

/** Where a destination may be. */
export interface NetworkReach {
  /** Its address may be one of a private network. */
  readonly isPrivate: boolean
  /** The local stage: it may be on this machine, without TLS. */
  readonly isLocal: boolean
}

/** An address, or a URL, that is not connected to. */
export class ClosedAddress extends NotSent {
  override readonly name = 'ClosedAddress'
}

const NOT_PUBLIC = 'address is not public; with network it may be in a private one'
const CLOSED_EVEN_THEN = 'address is neither public nor one of a private network'

/** All of IPv4, and the assigned part of IPv6 (IANA, "Internet Protocol Version 6 Address Space"). */
const OPEN = networksOf(['0.0.0.0/0', '2000::/3'])

/** IANA IPv4 and IPv6 Special-Purpose Address Registries, with multicast (224.0.0.0/4) and all tunnels to IPv4. */
const CLOSED = networksOf([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // The platform of Azure ("What is IP address 168.63.129.16?").
  '168.63.129.16',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
])

/** RFC 1918, RFC 6598 and RFC 4193. */
const PRIVATE = networksOf(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'])

/**
 * Services of the machine itself in private ranges: metadata, DNS and time of Amazon EC2 (EC2 User Guide, "Access
 * instance metadata"), and credentials of EKS; the metadata of Alibaba Cloud, Google Cloud and Scaleway.
 */
const METADATA = networksOf(['fd00:ec2::/32', '100.100.100.200', 'fd20:ce::254', 'fd00:42::42'])

const THIS_MACHINE = networksOf(['127.0.0.1', '::1'])

/** Whether an IP address may be connected to; no other text may. */
export function isReachable(text: string, { isPrivate, isLocal }: NetworkReach): boolean {
  const address = canonicalAddress(text)
  if (address === undefined) return false
  if (OPEN.has(address) && !CLOSED.has(address)) return true
  if (isLocal && THIS_MACHINE.has(address)) return true
  return isPrivate && PRIVATE.has(address) && !METADATA.has(address)
}

/**
 * Resolves names only to addresses that may be connected to: a single other one refuses the name. The connection is made
 * to what this returns, so nothing is resolved twice.
 */
export function guardedLookup(reach: NetworkReach, resolve: LookupFunction = lookup): LookupFunction {
  return (host, options: LookupOptions, done) => {
    resolve(host, { ...options, all: true }, (error, given) => {
      if (error) return done(error, [])
      const [first, ...others] = openOnly(given, reach)
      if (first === undefined) return done(closed(reach), [])
      return options.all ? done(null, [first, ...others]) : done(null, first.address, first.family)
    })
  }
}

/** All of them, or none if one may not be connected to. */
function openOnly(found: string | readonly LookupAddress[], reach: NetworkReach): readonly LookupAddress[] {
  if (typeof found === 'string') return []
  return found.every(({ address }) => isReachable(address, reach)) ? found : []
}

/**
 * Judges a URL before anything is resolved; an IP address in it never gets to the lookup.
 * @throws ClosedAddress
 */
export function demandReachable({ protocol, username, password, port, hostname }: URL, reach: NetworkReach): void {
  if (protocol !== 'https:' && !(protocol === 'http:' && reach.isLocal)) throw new ClosedAddress('address is not https')
  if (username !== '' || password !== '') throw new ClosedAddress('address names a user')
  if (!isOpenPort(port)) throw new ClosedAddress(`port ${port} is neither 80, 443 nor 1024 to 65535`)
  const address = canonicalAddress(hostname.replace(/^\[|\]$|\.$/g, ''))
  if (address !== undefined && !isReachable(address, reach)) throw closed(reach)
}

function isOpenPort(port: string): boolean {
  return port === '' || port === '80' || port === '443' || Number(port) >= 1024
}

function closed({ isPrivate }: NetworkReach): ClosedAddress {
  return new ClosedAddress(isPrivate ? CLOSED_EVEN_THEN : NOT_PUBLIC)
}
