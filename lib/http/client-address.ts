import { canonicalAddress, type Networks } from '../platform/address.ts'
import type { HttpEvent } from './message.ts'

/** `1.2.3.4:80`, `[2001:db8::1]:80` and `[2001:db8::1]`, as some proxies write an address. */
const WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+):\d{1,5}|\[([\da-fA-F:.]+)\](?::\d{1,5})?)$/

export interface Trust {
  /** Whose word for the address of a caller counts. */
  readonly trustedProxies: Networks
}

/**
 * The address of the caller: the one that the gateway saw the call come from or, as long as that is a trusted proxy's,
 * the one that the proxy saw, which is the next from the right in `X-Forwarded-For`. What cannot be read leaves the
 * proxy that wrote it as the caller.
 */
export function addressOf({ headers, requestContext }: HttpEvent, { trustedProxies }: Trust): string {
  const { sourceIp } = requestContext.http
  let address = readAddress(sourceIp) ?? sourceIp
  for (const hop of hopsOf(headers['x-forwarded-for'])) {
    const reported = trustedProxies.has(address) ? readAddress(hop) : undefined
    if (reported === undefined) break
    address = reported
  }
  return address
}

/** The nearest first. Several headers come as one, joined with commas; empty elements do not count (RFC 9110 section 5.6.1). */
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
