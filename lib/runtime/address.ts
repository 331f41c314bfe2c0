import { getBuiltinModule } from 'node:process'

/** A set of IP addresses. */
export interface Networks {
  /** @param address as {@link canonicalAddress} writes it; a text that is no address is in no set */
  has(address: string): boolean
  /** The first range in the set, as given, that is wider than the networks of one owner. */
  readonly tooWide?: string | undefined
}

export const NO_NETWORKS: Networks = { has: () => false }

/** The widest private ranges that one owner has: 10.0.0.0/8 (RFC 1918) and fc00::/7 (RFC 4193). */
const FAMILIES = {
  4: { name: 'ipv4', bits: 32, widest: 8 },
  6: { name: 'ipv6', bits: 128, widest: 7 },
} as const

/** RFC 4291 section 2.5.5.2: an IPv4 address written as an IPv6 one. */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/
const MAPPED_BITS = 96

/** Loaded on first use: that takes 1.7 ms, and most functions do not need it. Its functions are pure. */
const net = () => getBuiltinModule('node:net')

/**
 * The canonical text of an IP address: IPv6 compressed and in lower case (RFC 5952), IPv4 in IPv6 as IPv4. Undefined
 * for every other text, including an address with a zone.
 */
export function canonicalAddress(text: string): string | undefined {
  const family = familyOf(text)
  if (!family || text.includes('%')) return undefined
  if (family === FAMILIES[4]) return text
  const { address } = new (net().SocketAddress)({ address: text, family: family.name })
  return MAPPED.exec(address)?.[1] ?? address
}

/**
 * The network that one person controls: with an IPv6 address its 2⁶⁴ addresses (RFC 7421 section 2), with an IPv4
 * address only that one.
 * @param address as {@link canonicalAddress} writes it; any other text is its own network
 */
export function networkOf(address: string): string {
  if (familyOf(address)?.name !== 'ipv6') return address
  const [before = [], after = []] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''))
  const zeros = Array<string>(8 - before.length - after.length).fill('0')
  const [a, b, c, d] = [...before, ...zeros, ...after]
  return `${a}:${b}:${c}:${d}::/64`
}

/** @throws Error for anything but IP addresses and CIDR ranges (RFC 4632, RFC 4291 section 2.3) */
export function networksOf(texts: readonly string[]): Networks {
  const list = new (net().BlockList)()
  const ranges = texts.map(rangeOf)
  for (const { address, prefix, family } of ranges) list.addSubnet(address, prefix, family.name)
  return {
    tooWide: texts[ranges.findIndex(({ prefix, family }) => prefix < family.widest)],
    has(address) {
      const family = familyOf(address)
      return family !== undefined && list.check(address, family.name)
    },
  }
}

interface Range {
  readonly address: string
  readonly prefix: number
  readonly family: (typeof FAMILIES)[4 | 6]
}

function rangeOf(text: string): Range {
  const [, written = '', digits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const address = canonicalAddress(written)
  const family = address === undefined ? undefined : familyOf(address)
  const given = familyOf(written)
  if (address === undefined || !family || !given) throw wrongRange()
  const prefix = Number(digits ?? given.bits) - (family === given ? 0 : MAPPED_BITS)
  if (prefix < 0 || prefix > family.bits) throw wrongRange()
  return { address, prefix, family }
}

function wrongRange(): Error {
  return new Error('must be IP addresses or CIDR ranges, separated by commas')
}

function familyOf(address: string): (typeof FAMILIES)[4 | 6] | undefined {
  return FAMILIES[net().isIP(address) as 4 | 6]
}

/** `1.2.3.4:80`, `[2001:db8::1]:80` and `[2001:db8::1]`, as some proxies write an address. */
const WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+):\d{1,5}|\[([\da-fA-F:.]+)\](?::\d{1,5})?)$/

/**
 * The address of a caller: that of the connection. As long as that is a trusted proxy, it is the address that the proxy
 * saw: the next from the right in `X-Forwarded-For`. If an address cannot be read, the proxy that wrote it counts as
 * the caller.
 * @param peer the address of the connection
 * @param forwarded the value of `X-Forwarded-For`; several headers are joined with commas
 * @param trustedProxies whose `X-Forwarded-For` is believed
 */
export function clientAddress(peer: string, forwarded: string | undefined, trustedProxies: Networks): string {
  let address = readAddress(peer) ?? peer
  for (const hop of hopsOf(forwarded)) {
    const reported = trustedProxies.has(address) ? readAddress(hop) : undefined
    if (reported === undefined) break
    address = reported
  }
  return address
}

/** The nearest first. Empty elements do not count (RFC 9110 section 5.6.1). */
function hopsOf(forwarded = ''): readonly string[] {
  return forwarded
    .split(',')
    .map((hop) => hop.trim())
    .filter((hop) => hop !== '')
    .reverse()
}

function readAddress(text: string): string | undefined {
  const [, v4, v6] = WITH_PORT.exec(text) ?? []
  return canonicalAddress(v4 ?? v6 ?? text)
}

/** A name or address and perhaps a port, as `Host` has them (RFC 9110 section 7.2); the name is the first group. */
const HOST = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/

/** Names as people and browsers write them; those below `localhost` are loopback names too (RFC 6761 section 6.3). */
const LOOPBACK = /^(?:(?:[^.]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** @param name as in {@link URL.hostname} */
export function isLoopbackName(name: string): boolean {
  return LOOPBACK.test(name)
}

/**
 * Whether a request of a local run is meant for it: a web page that points its own name at 127.0.0.1 still names itself in
 * `Host`.
 * @param host the value of `Host`
 * @param baseUrl where callers reach the service
 * @param listensOn the address of the run: with another one than of loopback, names that no page of the web has are meant too
 */
export function isLocalHost(host: string | undefined, baseUrl: URL, listensOn: string): boolean {
  const name = HOST.exec(host ?? '')?.[1]?.toLowerCase()
  if (name === undefined) return false
  return isLoopbackName(name) || name === baseUrl.hostname || (!isLoopbackName(listensOn) && isPrivateName(name))
}

/** Of a container network: an address, a name of one label, or one below a domain that the public DNS does not have. */
function isPrivateName(name: string): boolean {
  return (
    net().isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || /^[^.]+(?:\.(?:[^.]+\.)*(?:internal|local|test))?$/.test(name)
  )
}
