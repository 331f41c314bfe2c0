import { Buffer } from 'node:buffer'
import type { Entry } from 'ldapts'

/**
 * The values of an attribute, those with options among them (RFC 4512 section 2.5). A server chooses the case of names,
 * and ldapts adds an empty one for each that is missing.
 */
function rawValues(entry: Entry, attribute: string): readonly (string | Buffer)[] {
  const wanted = attribute.toLowerCase()
  return Object.keys(entry)
    .filter((name) => name.split(';', 1)[0]?.toLowerCase() === wanted)
    .flatMap((name) => entry[name] ?? [])
}

export function valuesOf(entry: Entry, attribute: string): readonly string[] {
  return rawValues(entry, attribute).map(String)
}

/** `objectGUID`, `GUID`, `objectSid`. */
const BINARY = /(?:guid|sid)$/i

const GUID = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/

/**
 * The id of an entry as text. Of a binary attribute, 16 bytes are the GUID that Active Directory's tools show (MS-DTYP
 * section 2.3.4), others hexadecimal digits; unless a server keeps text in it.
 */
export function idOf(entry: Entry, attribute: string): string | undefined {
  const [value = ''] = rawValues(entry, attribute)
  const bytes = Buffer.from(value)
  const isText = !BINARY.test(attribute) || /^[\w-]*$/.test(bytes.toString('latin1'))
  return (isText ? bytes.toString() : swapped(bytes).toString('hex').replace(GUID, '$1-$2-$3-$4-$5')) || undefined
}

/** The values that {@link idOf} may have read as this id. */
export function idValues(id: string, attribute: string): readonly (string | Buffer)[] {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex')
  return BINARY.test(attribute) ? [id, swapped(bytes)] : [id]
}

/** A GUID with the other order of bytes in its first three fields. */
function swapped(bytes: Buffer): Buffer {
  if (bytes.length !== 16) return bytes
  const copy = Buffer.from(bytes)
  copy.subarray(0, 4).reverse()
  copy.subarray(4, 6).reverse()
  copy.subarray(6, 8).reverse()
  return copy
}

/** When a password changed: draft-behera-ldap-password-policy, Active Directory, and RFC 4512 section 3.4. */
export const CHANGES = ['pwdChangedTime', 'pwdLastSet', 'modifyTimestamp']

/** The first time that the entry has; undefined if the directory shows us none. */
export function changeOf(entry: Entry): Date | undefined {
  const [time] = CHANGES.flatMap((attribute) => valuesOf(entry, attribute)).flatMap((text) => timeOf(text) ?? [])
  return time
}

/** From 1601 to 1970, in milliseconds. */
const FILETIME_START = 11_644_473_600_000

function timeOf(text: string): Date | undefined {
  // In units of 100 ns; 0 is a password that has to be changed.
  if (/^\d{17,18}$/.test(text)) return new Date(Math.floor(Number(text) / 10_000) - FILETIME_START)
  return generalizedTime(text)
}

const FORM = /^(\d{4})(\d\d)(\d\d)(\d\d)(?:(\d\d)(?:(\d\d))?)?(?:[.,](\d{1,9}))?(?:Z|([+-]\d\d)(\d\d)?)$/

/** A time as directories write it (RFC 4517 section 3.3.13): `20261123200000Z`; undefined for what is none. */
export function generalizedTime(text: string): Date | undefined {
  const parts = FORM.exec(text)
  if (!parts) return undefined
  const [, year, month, day, hour, minute, second, fraction = '', offsetHours = '+00', offsetMinutes = '00'] = parts
  const unit = second !== undefined ? 1000 : minute !== undefined ? 60_000 : 3_600_000
  const start = `${year}-${month}-${day}T${hour}:${minute ?? '00'}:${second ?? '00'}.000${offsetHours}:${offsetMinutes}`
  const milliseconds = Date.parse(start) + Math.floor(Number(`0.${fraction}0`) * unit)
  return Number.isNaN(milliseconds) ? undefined : new Date(milliseconds)
}
