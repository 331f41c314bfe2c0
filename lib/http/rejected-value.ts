/** No answer repeats what stands under these names, or anywhere below them: passwords, secrets, recorded calls, messages. */
const SECRET: ReadonlySet<PropertyKey> = new Set(['password', 'current', 'new', 'secret', 'token', 'request', 'body'])

const MAXIMUM_LENGTH = 100

/**
 * What a JSON body holds at a path, as the refusal of it repeats it: a text of at most a hundred characters. Of an object
 * or a list it says only that it is one. Null for what is missing, null or secret, and for the body as a whole.
 */
export function rejectedValue(body: unknown, path: readonly PropertyKey[]): string | null {
  if (path.length === 0 || path.some((name) => SECRET.has(name))) return null
  const value = memberAt(body, path)
  return value === undefined || value === null ? null : textOf(value)
}

/** Undefined for a member that is not there. */
export function memberAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (isObject(value) && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined),
    body,
  )
}

function textOf(value: NonNullable<unknown>): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : '[…]'
  if (isObject(value)) return Object.keys(value).length === 0 ? '{}' : '{…}'
  const text = String(value)
  return text.length > MAXIMUM_LENGTH ? `${text.slice(0, MAXIMUM_LENGTH - 1).toWellFormed()}…` : text
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
