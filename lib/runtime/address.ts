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
