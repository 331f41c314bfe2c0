import { Buffer } from 'node:buffer'

/** Looks for a text in bytes. */
export type Search = (bytes: Buffer) => boolean

/** How often one way of writing may be in another: JSON in a field of a form, base64 in JSON. */
const DEPTH = 3

/**
 * Finds a text in any case, whatever a sender does to write it: escapes of JSON, percent signs and + of forms, character
 * references of HTML and XML, base64, UTF-16 and Latin-1; each in another up to three deep. What is compressed or
 * encrypted is not looked into.
 */
export function searchFor(text: string): Search {
  const wanted = folded(text)
  return (bytes) => {
    let readings = new Set(readingsOf(bytes))
    for (let depth = 0; depth <= DEPTH; depth++) {
      if ([...readings].some((reading) => folded(reading).includes(wanted))) return true
      readings = new Set([...readings].flatMap(otherReadings))
    }
    return false
  }
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

function readingsOf(bytes: Buffer): readonly string[] {
  const readings = [bytes.toString('utf8')]
  if (bytes.some((byte) => byte > 0x7f)) readings.push(bytes.toString('latin1'))
  if (!bytes.includes(0)) return readings
  return [...readings, bytes.toString('utf16le'), evenSwapped(bytes).toString('utf16le')]
}

/** UTF-16 with the higher byte first. */
function evenSwapped(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2))).swap16()
}

/** What a text says once one way of escaping is undone; only those that it uses. */
function otherReadings(text: string): readonly string[] {
  const undone = [withoutJson(text), withoutForm(text), withoutReferences(text), ...base64In(text)]
  return undone.filter((other) => other !== text)
}

const JSON_ESCAPES = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
])

/** RFC 8259 section 7, also of what is no JSON as a whole. */
function withoutJson(text: string): string {
  return text.replace(/\\(?:u([0-9a-f]{4})|(.))/gi, (_, digits: string | undefined, plain: string) =>
    digits === undefined ? (JSON_ESCAPES.get(plain) ?? plain) : String.fromCharCode(Number.parseInt(digits, 16)),
  )
}

/** The URL Standard, application/x-www-form-urlencoded; bytes that are no UTF-8 stay as marks. */
function withoutForm(text: string): string {
  return text
    .replaceAll('+', ' ')
    .replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'))
}

const NAMED = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['commat', '@'],
  ['period', '.'],
])

/** Character references of XML, and of HTML those that an address needs. */
function withoutReferences(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,8}));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return NAMED.get(String(name).toLowerCase()) ?? whole
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
  })
}

/** Base64 or base64url within a text, with its lines joined; a match may begin with letters of the text before. */
function base64In(text: string): readonly string[] {
  const runs = text.match(/[\w+/-]{4,}(?:\r?\n[\w+/-]+)*/g) ?? []
  if (runs.length === 0) return []
  return [0, 1, 2, 3].map((offset) =>
    runs.map((run) => Buffer.from(run.replace(/\s/g, '').slice(offset), 'base64').toString('utf8')).join('\n'),
  )
}
