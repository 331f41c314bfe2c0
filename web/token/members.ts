/** The members of a header or of claims. */
export type Members = Readonly<Record<string, unknown>>

/** A value as a field shows it: a text as it is, anything else as JSON. */
export function asText(value: unknown): string {
  if (typeof value === 'string' || value === undefined) return value ?? ''
  return JSON.stringify(value)
}

/** Changes a member; a text stays a text, anything else is read as JSON if it is some. */
export function withMember(members: Members, name: string, text: string): Members {
  const isText = typeof members[name] === 'string'
  return { ...members, [name]: isText ? text : parsedOr(text) }
}

export function withoutMember(members: Members, name: string): Members {
  return Object.fromEntries(Object.entries(members).filter(([each]) => each !== name))
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
