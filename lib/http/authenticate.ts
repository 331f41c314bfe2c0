import type { Principal } from '../auth/principal.ts'
import { fail } from '../errors.ts'
import type { HttpEvent } from './message.ts'

type Checked = Principal | Promise<Principal>

/** How each accepted kind of credentials is checked; a kind without a check counts as no credentials. */
export interface Checks {
  /** @throws ServiceError `TOKEN_INVALID`, `TOKEN_EXPIRED` */
  readonly bearer?: ((token: string) => Checked) | undefined
}

/** Authorization schemes by their lower-case name (RFC 9110 section 11.1). */
const SCHEMES: Readonly<Record<string, keyof Checks>> = { bearer: 'bearer' }

/**
 * Finds the credentials of a request and has them checked; undefined when there are none of an accepted kind.
 * @throws ServiceError `VALIDATION_FAILED` for more than one `Authorization`, else as the check does
 */
export function authenticate({ headers }: HttpEvent, checks: Checks): Checked | undefined {
  const { authorization } = headers
  if (authorization === undefined) return undefined
  if (isDoubled(authorization)) throw fail('VALIDATION_FAILED', { validationErrors: [DOUBLED] })
  const [, scheme = '', credentials = ''] = /^(\S*)\s*(.*)$/s.exec(authorization) ?? []
  const kind = SCHEMES[scheme.toLowerCase()]
  return kind && checks[kind]?.(credentials)
}

const DOUBLED = { field: 'Authorization', message: 'Authorization must be sent once', rejectedValue: null }

/** A gateway joins repeated headers with commas (RFC 9110 section 5.3). */
function isDoubled(authorization: string): boolean {
  return authorization.includes(',') && /\b(?:bearer|basic)\b/i.test(authorization)
}
