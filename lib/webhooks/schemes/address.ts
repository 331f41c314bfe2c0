/**
 * Path and query of RFC 3986. Where no separator stands between address and body, the brace or bracket that begins a
 * JSON body cannot pass for a part of the address.
 */
const ADDRESS = /^https?:\/\/[^/]+(?:\/[\w\-.~!$&'()*+,;=:@%/?]*)?$/

/** Whether a text can be signed as the address of a call. */
export function isAddress(url: string): boolean {
  return ADDRESS.test(url)
}
