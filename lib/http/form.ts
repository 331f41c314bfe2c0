import type * as z from 'zod/mini'
import { fail, invalid } from '../errors.ts'
import { broken, formFields, LOGIN_BODY, repeatedNames } from '../runtime/text.ts'
import { rejectedValue } from './json.ts'
import { type HttpEvent, JSON_TYPE, readBody, sentSize, typeRefused } from './message.ts'
import { jsonBody } from './middleware/parse.ts'
import type { Reader } from './middleware/validate.ts'

export interface FormDeclaration<S extends z.ZodMiniObject> {
  readonly schema: S
  /** Fields whose value no answer repeats. */
  readonly secret: readonly string[]
}

/** What decoding makes of bytes that are no UTF-8 (WHATWG URL, application/x-www-form-urlencoded parsing). */
const REPLACEMENT = '\ufffd'

/** Why fields cannot be read, by their names. */
type Faults = Readonly<Record<string, string | undefined>>

interface Fields {
  readonly given: unknown
  readonly faults: Faults
}

interface FormFields extends Fields {
  readonly given: Readonly<Record<string, string>>
}

const NOTHING: FormFields = { given: {}, faults: {} }

export const FORM = 'application/x-www-form-urlencoded'

/**
 * Reads the fields of a form.
 * @throws ServiceError `VALIDATION_FAILED` with one row for each refused field, in the order of the declaration;
 * `MEDIA_TYPE_UNSUPPORTED` for another kind of body, `PAYLOAD_TOO_LARGE`
 */
export function form<S extends z.ZodMiniObject>(declaration: FormDeclaration<S>): (event: HttpEvent) => z.output<S> {
  return (event) => {
    if (!isForm(event)) throw typeRefused(event, FORM)
    return checkedFields(declaration, formFieldsOf(event))
  }
}

/**
 * The fields as they are declared.
 * @throws ServiceError `VALIDATION_FAILED`, which says of a field that cannot be read why
 */
export function checkedFields<S extends z.ZodMiniObject>(
  { schema, secret }: FormDeclaration<S>,
  { given, faults }: Fields,
): z.output<S> {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const validationErrors = parsed.error.issues.map(({ path, message }) => {
    const field = path.join('.') || 'body'
    const rejected = secret.includes(field) ? '' : rejectedValue(given, path)
    return { field, message: faults[field] ?? message, rejectedValue: rejected }
  })
  throw fail('VALIDATION_FAILED', { validationErrors })
}

/**
 * One field of a form, however the rest of it looks; undefined for another kind of body.
 * @throws ServiceError `VALIDATION_FAILED` for a field that cannot be read, `PAYLOAD_TOO_LARGE`
 */
export function formField(event: HttpEvent, name: string): string | undefined {
  const { given, faults } = isForm(event) ? formFieldsOf(event) : NOTHING
  const message = faults[name]
  if (message !== undefined) throw invalid([{ path: [name], message }])
  return given[name]
}

/** Whether a body says that it is a form. */
function isForm({ headers }: HttpEvent): boolean {
  const [type = ''] = (headers['content-type'] ?? '').split(';')
  return type.trim().toLowerCase() === FORM
}

/**
 * The fields of a form that can be read. All forms are those of logins and logouts.
 * @throws ServiceError `PAYLOAD_TOO_LARGE` above 16 KiB, `VALIDATION_FAILED` above a thousand fields
 */
function formFieldsOf(event: HttpEvent): FormFields {
  const fields = formFields(readBody(event, LOGIN_BODY.bytes).toString())
  if (fields === undefined) throw invalid([{ path: [], message: 'must not have more than 1000 fields' }])
  const byName = Map.groupBy(fields, ([name]) => name)
  const faults = Object.fromEntries(Array.from(byName, ([name, same]) => [name, faultOf(name, same)]))
  return { given: Object.fromEntries(fields.filter(([name]) => faults[name] === undefined)), faults }
}

function faultOf(name: string, same: readonly (readonly [string, string])[]): string | undefined {
  if (same.length > 1) return broken(name, 'must be sent once')
  return same.some(([, value]) => value.includes(REPLACEMENT)) ? broken(name, 'must be UTF-8') : undefined
}

/**
 * Reads the fields of a form, or those of a JSON object by the same names. All fields of an empty body of any type are
 * missing.
 * @throws ServiceError as {@link form} does
 */
export function formOrJson<S extends z.ZodMiniObject>(declaration: FormDeclaration<S>): Reader<z.output<S>> {
  return (event) => {
    if (isForm(event)) return checkedFields(declaration, formFieldsOf(event))
    return checkedFields(declaration, sentSize(event) === 0 ? NOTHING : jsonFieldsOf(event))
  }
}

function jsonFieldsOf(event: HttpEvent): Fields {
  const { text, value } = jsonBody(event, LOGIN_BODY, `${FORM}, ${JSON_TYPE['content-type']}`)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { given: value, faults: {} }
  const repeated = repeatedNames(text)
  const faults = Object.fromEntries(Array.from(repeated, (name) => [name, broken(name, 'must be sent once')]))
  return { given: Object.fromEntries(Object.entries(value).filter(([name]) => !repeated.has(name))), faults }
}
