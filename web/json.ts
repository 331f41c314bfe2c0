export type Members = Readonly<Record<string, unknown>>

/** What a JSON text says; undefined for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The members of an object; none of anything else. */
export function membersIn(value: unknown): Members {
  return isObject(value) ? value : {}
}

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
