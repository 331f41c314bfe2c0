/** A decoded object of a token, or the reason why it cannot be read. */
export type TokenPart =
  | { readonly kind: 'object'; readonly members: Readonly<Record<string, unknown>> }
  | { readonly kind: 'unreadable'; readonly reason: string }

export interface Decoded {
  readonly header: TokenPart
  readonly payload: TokenPart
  readonly signature: string
}

/** Splits and decodes a token (RFC 7515 section 7.1). Checks nothing: the maker of a token can write anything in it. */
export function decode(token: string): Decoded {
  const [header = '', payload = '', signature = ''] = token.split('.')
  return { header: read(header), payload: read(payload), signature }
}

function read(part: string): TokenPart {
  if (part === '') return unreadable('It is missing.')
  const text = textOf(part)
  if (text === undefined) return unreadable('It is not text in base64url.')
  const value = parsed(text)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? { kind: 'object', members: { ...value } } : unreadable('It is not a JSON object.')
}

function unreadable(reason: string): TokenPart {
  return { kind: 'unreadable', reason }
}

function textOf(part: string): string | undefined {
  if (!/^[\w-]+$/.test(part)) return undefined
  // A last character that holds no whole byte counts for nothing, as for the service.
  const whole = part.length % 4 === 1 ? part.slice(0, -1) : part
  try {
    const bytes = atob(whole.replaceAll('-', '+').replaceAll('_', '/'))
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)))
  } catch {
    return undefined
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A NumericDate (RFC 7519 section 2) as a time; undefined if it is none, or beyond the range of a Date. */
export function timeOf(value: unknown): Date | undefined {
  if (typeof value !== 'number') return undefined
  const time = new Date(value * 1000)
  return Number.isNaN(time.getTime()) ? undefined : time
}
