import type * as z from 'zod/mini'
import { LOGIN_BODY, repeatedNames } from '../runtime/text.ts'
import { checkedFields, type FormDeclaration, formFieldsOf, isForm } from './form.ts'
import { type HttpEvent, sentSize } from './message.ts'
import { jsonBody } from './middleware/parse.ts'
import type { Reader } from './middleware/validate.ts'

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
