import { Buffer } from 'node:buffer'
import { fail, invalid } from '../errors.ts'
import { formFields, fromUtf8 } from '../runtime/text.ts'
import { parseJson } from './json.ts'

/** More than any form has that we read. */
const MAXIMUM_PARTS = 1000

/**
 * The text fields of a form by name, whichever of its two encodings it has: WHATWG URL, section 5.1, or RFC 7578. The
 * body decides, because webhook endpoints ignore the content type; files are left out. Undefined for JSON.
 * @throws ServiceError `PAYLOAD_TOO_LARGE` for too many fields
 */
export function fieldsOfForm(body: Buffer): ReadonlyMap<string, string> | undefined {
  if (isJson(body)) return undefined
  const isMultipart = body.toString('latin1', 0, 2) === '--'
  const fields = isMultipart ? partsOf(body) : formFields(fromUtf8(body) ?? '')
  if (!fields) throw fail('PAYLOAD_TOO_LARGE')
  return new Map(fields)
}

/** Whether a body can only be JSON: it begins with an object or a list, blanks aside. */
export function isJson(body: Buffer): boolean {
  const first = body.find((byte) => byte > 0x20)
  return first === 0x7b || first === 0x5b
}

type Field = readonly [name: string, value: string]

/** RFC 2046, section 5.1: the first line is the delimiter, with at most 70 characters behind its two hyphens. */
function partsOf(body: Buffer): readonly Field[] | undefined {
  const delimiter = body.toString('latin1', 0, 72 + 2).split('\r\n', 1)[0] ?? ''
  const fields: Field[] = []
  let start = delimiter.length + 2
  for (let count = 0; count < MAXIMUM_PARTS; count++) {
    const end = body.indexOf(`\r\n${delimiter}`, start, 'latin1')
    if (end < 0) return fields
    const field = fieldOf(body.subarray(start, end))
    if (field) fields.push(field)
    start = end + 2 + delimiter.length + 2
  }
  return undefined
}

function fieldOf(part: Buffer): Field | undefined {
  const end = part.indexOf('\r\n\r\n')
  const headers = end < 0 ? '' : part.toString('latin1', 0, end)
  const [, name, more = ''] = /^content-disposition: *form-data; *name="([^"]*)"(.*)$/im.exec(headers) ?? []
  if (name === undefined || /; *filename/i.test(more)) return undefined
  return [name, part.toString('utf8', end + 4)]
}

/** A body that begins with this is a form, not JSON: webhook endpoints ignore the content type. */
const FIELD = 'payload='

/**
 * Parses JSON, also JSON in the field `payload` of a form.
 * @throws ServiceError `VALIDATION_FAILED`
 */
export function parsePayload(bytes: Buffer): unknown {
  return parseJson(formPayload(bytes) ?? bytes)
}

/**
 * The value of the field `payload` of an `application/x-www-form-urlencoded` body (WHATWG URL, section 5.1); undefined
 * for a body that does not begin with it.
 * @throws ServiceError `VALIDATION_FAILED` for a value that is no percent-encoded UTF-8
 */
export function formPayload(body: Buffer): Buffer | undefined {
  if (body.toString('latin1', 0, FIELD.length) !== FIELD) return undefined
  const [value = ''] = (fromUtf8(body) ?? refuse()).slice(FIELD.length).split('&', 1)
  try {
    return Buffer.from(decodeURIComponent(value.replaceAll('+', ' ')))
  } catch {
    return refuse()
  }
}

/**
 * Parses JSON, JSON in the field `payload` of a form, or the fields of a form. The first bytes decide which, because
 * webhook endpoints ignore the content type.
 * @throws ServiceError `VALIDATION_FAILED`
 */
export function parseFormOrJson(bytes: Buffer): unknown {
  if (isJson(bytes)) return parseJson(bytes)
  const payload = formPayload(bytes)
  if (payload) return parseJson(payload)
  const fields = formFields(fromUtf8(bytes) ?? '') ?? []
  if (fields.length === 0) throw invalid([{ path: [], message: 'must be a form or JSON' }])
  return Object.fromEntries(fields)
}

function refuse(): never {
  throw invalid([{ path: ['payload'], message: 'must be percent-encoded UTF-8' }])
}
