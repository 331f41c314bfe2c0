import type * as z from 'zod/mini'
import { fail } from '../errors.ts'
import { formFields, fromUtf8, LOGIN_BODY, repeatedNames } from '../runtime/text.ts'
import { rejectedValue } from './json.ts'
import { type HttpEvent, readBody, sentSize } from './message.ts'
import { jsonBody } from './middleware/parse.ts'
import type { Reader } from './middleware/validate.ts'

export interface FormDeclaration<S extends z.ZodMiniObject> {
  readonly schema: S
  /** Fields whose value no answer repeats. */
  readonly secret: readonly string[]
}

/** What decoding makes of bytes that are no UTF-8 (WHATWG URL, application/x-www-form-urlencoded parsing). */
const REPLACEMENT = '\ufffd'

/**
 * Reads `application/x-www-form-urlencoded` fields; a field sent twice, in another kind of body, among more than a
 * thousand or in bytes that are no UTF-8 counts as missing.
 * @throws ServiceError `VALIDATION_FAILED` with one row for each refused field, in the order of the declaration
 */
export function form<S extends z.ZodMiniObject>(declaration: FormDeclaration<S>): Reader<z.output<S>> {
  return (event) => checkedFields(declaration, formFieldsOf(event))
}

/** The given fields as they are declared. @throws ServiceError `VALIDATION_FAILED` */
export function checkedFields<S extends z.ZodMiniObject>(
  { schema, secret }: FormDeclaration<S>,
  given: unknown,
): z.output<S> {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const validationErrors = parsed.error.issues.map(({ path, message }) => {
    const field = path.join('.') || 'body'
    return { field, message, rejectedValue: secret.includes(field) ? '' : rejectedValue(given, path) }
  })
  throw fail('VALIDATION_FAILED', { validationErrors })
}

/** One field of a form, however the rest of it looks. */
export function formField(event: HttpEvent, name: string): string | undefined {
  return formFieldsOf(event)[name]
}

/** Whether a body says that it is a form. */
function isForm({ headers }: HttpEvent): boolean {
  const [type = ''] = (headers['content-type'] ?? '').split(';')
  return type.trim().toLowerCase() === 'application/x-www-form-urlencoded'
}

/**
 * The fields of a form that were sent once; none of another kind of body. All forms are those of logins and logouts.
 * @throws ServiceError `PAYLOAD_TOO_LARGE` above 16 KiB
 */
function formFieldsOf(event: HttpEvent): Readonly<Record<string, string>> {
  const body = readBody(event, LOGIN_BODY.bytes)
  if (!isForm(event)) return {}
  const byName = Map.groupBy(formFields(fromUtf8(body) ?? '') ?? [], ([name]) => name)
  const once = [...byName.values()].filter((given) => given.length === 1).flat()
  return Object.fromEntries(once.filter(([, value]) => !value.includes(REPLACEMENT)))
}

/**
 * Reads the fields of a form, or those of a JSON object by the same names. A field that is sent twice counts as missing
 * in either, and so do all fields of an empty body of any type.
 * @throws ServiceError `VALIDATION_FAILED` with one row for each refused field, `MEDIA_TYPE_UNSUPPORTED` for another
 * content type, `PAYLOAD_TOO_LARGE`
 */
export function formOrJson<S extends z.ZodMiniObject>(declaration: FormDeclaration<S>): Reader<z.output<S>> {
  return (event) => {
    const isFields = sentSize(event) === 0 || isForm(event)
    return checkedFields(declaration, isFields ? formFieldsOf(event) : jsonFieldsOf(event))
  }
}

function jsonFieldsOf(event: HttpEvent): unknown {
  const { text, value } = jsonBody(event, LOGIN_BODY)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const repeated = repeatedNames(text)
  return Object.fromEntries(Object.entries(value).filter(([name]) => !repeated.has(name)))
}
