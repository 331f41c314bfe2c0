import { Buffer } from 'node:buffer'

/** One element of a name, up to the next separator that is neither escaped nor quoted. */
const element = (separators: string) => new RegExp(`(?:\\\\.|"(?:\\\\.|[^"\\\\])*"|[^${separators}\\\\"])+`, 'gs')
const RDNS = element(',;')
const PAIRS = element('+')

/**
 * Normalizes a distinguished name (RFC 4514): names that differ only in case, blanks, escapes or the order inside a
 * multi-valued element have the same key. The key of a name below another ends with `,` and the key of that other.
 */
export function dnKey(dn: string): string {
  return dnElements(dn).join(',')
}

/** The same for each element, the outermost last. */
export function dnElements(dn: string): readonly string[] {
  return (dn.match(RDNS) ?? []).map(rdnKey)
}

function rdnKey(rdn: string): string {
  const pairs = (rdn.match(PAIRS) ?? []).map((pair) => {
    const [attribute = '', ...value] = pair.split('=')
    return `${attribute.trim().toLowerCase()}=${valueKey(unescaped(trimmed(value.join('='))))}`
  })
  return JSON.stringify(pairs.sort())
}

/** The last blank belongs to the value if it is escaped. */
function trimmed(value: string): string {
  const text = value.trim()
  const bare = /(?<!\\)(?:\\\\)*\\$/.test(text) ? `${text} ` : text
  return bare.replace(/^"(.*)"$/s, '$1')
}

/** How directories compare text: without case, blanks at the ends or more than one blank in between (RFC 4518). */
export function valueKey(value: string): string {
  return value.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').trim()
}

/** Undoes both escapes of RFC 4514 section 2.4: a character after a backslash, or a byte as two hexadecimal digits. */
function unescaped(text: string): string {
  const parts = text.matchAll(/\\([0-9a-f]{2})|\\?(.)/gisu)
  const bytes = [...parts].map(([, hex, character = '']) => (hex ? Buffer.from(hex, 'hex') : Buffer.from(character)))
  return Buffer.concat(bytes).toString()
}
