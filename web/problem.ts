import { membersIn, parseJson } from './json.ts'
/** The service refused a call, or did not answer; the message is for people. */
export class CallRefused extends Error {}

interface Problem {
  readonly message?: string
  readonly details?: { readonly validationErrors?: readonly { readonly field: string; readonly message: string }[] }
}

/** The message of an error body, with the fields that it names; undefined for any other body. */
export function problemIn(text: string): string | undefined {
  const { message, details }: Problem = membersIn(parseJson(text))
  const fields = details?.validationErrors?.map(({ field, message }) => `${field} ${message}`)
  return fields ? `${message}: ${fields.join('; ')}.` : message
}
