import type { Buffer } from 'node:buffer'
import { fail } from '../errors.ts'
import { formFields } from '../runtime/form-fields.ts'
import { fromUtf8 } from '../runtime/utf8.ts'

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
