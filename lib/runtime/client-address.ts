import { canonicalAddress, type Networks } from './address.ts'

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
