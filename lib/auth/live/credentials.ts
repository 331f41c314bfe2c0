import { readAuthorization } from '../authorization.ts'
import { presentedKey } from '../keys/presented-key.ts'

/** What opens a session or a stream: a token, an API key, or the ticket of a page. */
export type LiveCredentials = { readonly token: string } | { readonly key: string } | { readonly ticket: string }

interface Presented {
  /** The value of `Authorization`. */
  readonly authorization: string | undefined
  /** Each value of {@link KEY_HEADER}. */
  readonly keys: readonly string[]
  /** A token that came otherwise; beside an `Authorization` it counts for nothing. */
  readonly passcode?: string | undefined
}

/**
 * The credentials of a caller; undefined for none, and for a scheme that is not accepted here.
 * @throws ServiceError `VALIDATION_FAILED` for several keys, or one with other credentials
 */
export function liveCredentials({ authorization, keys, passcode }: Presented): LiveCredentials | undefined {
  const key = presentedKey(keys, authorization !== undefined || passcode !== undefined)
  if (key !== undefined) return { key }
  if (authorization === undefined) return passcode === undefined ? undefined : { token: passcode }
  const { scheme, credentials } = readAuthorization(authorization)
  if (scheme === 'bearer') return { token: credentials }
  return scheme === 'ticket' ? { ticket: credentials } : undefined
}
