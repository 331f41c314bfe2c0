import type * as z from 'zod/mini'
import { fail } from '../errors.ts'
import { formFields } from '../runtime/form-fields.ts'
import { fromUtf8 } from '../runtime/utf8.ts'
import type { Reader } from './endpoint.ts'
import { type HttpEvent, readBody } from './message.ts'

export interface FormDeclaration<S extends z.ZodMiniObject> {
  readonly schema: S
  /** Fields whose value no answer repeats. */
  readonly secret: readonly string[]
}

/** What decoding makes of bytes that are no UTF-8 (WHATWG URL, application/x-www-form-urlencoded parsing). */
const REPLACEMENT = '\ufffd'

const LIMIT_BYTES = 1_048_576

/**
 * Reads `application/x-www-form-urlencoded` fields; a field sent twice, in another kind of body, among more than a
 * thousand or in bytes that are no UTF-8 counts as missing.
 * @throws ServiceError `VALIDATION_FAILED` with one row for each refused field, in the order of the declaration
 */
export function form<S extends z.ZodMiniObject>({ schema, secret }: FormDeclaration<S>): Reader<z.output<S>> {
  return (event) => {
    const fields = fieldsOf(event)
    const parsed = schema.safeParse(fields)
    if (parsed.success) return parsed.data
    const validationErrors = parsed.error.issues.map(({ path, message }) => {
      const field = path.join('.')
      return { field, message, rejectedValue: secret.includes(field) ? '' : (fields[field] ?? null) }
    })
    throw fail('VALIDATION_FAILED', { validationErrors })
  }
}

/** One field of a form, however the rest of it looks. */
export function formField(event: HttpEvent, name: string): string | undefined {
  return fieldsOf(event)[name]
}

function fieldsOf(event: HttpEvent): Readonly<Record<string, string>> {
  const body = readBody(event, LIMIT_BYTES)
  const [type = ''] = (event.headers['content-type'] ?? '').split(';')
  if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded') return {}
  const byName = Map.groupBy(formFields(fromUtf8(body) ?? '') ?? [], ([name]) => name)
  const once = [...byName.values()].filter((given) => given.length === 1).flat()
  return Object.fromEntries(once.filter(([, value]) => !value.includes(REPLACEMENT)))
}
