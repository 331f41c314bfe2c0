import { Buffer } from 'node:buffer'
import { invalid } from '../errors.ts'
import { formFields } from '../runtime/form-fields.ts'
import { fromUtf8 } from '../runtime/utf8.ts'
import { isJson } from './form-body.ts'
import { parseJson } from './json.ts'

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
