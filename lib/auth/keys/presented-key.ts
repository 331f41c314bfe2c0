import { fail, type ServiceError } from '../../errors.ts'

/** The header of HTTP and of a CONNECT frame, and the metadata of gRPC, that carry a key. */
export const KEY_HEADER = 'x-api-key'

/**
 * The key that a call brings, if it does.
 * @param values each value of the header; what came several times may also be joined by commas (RFC 9110 section 5.3)
 * @param isBesideOthers whether the call brings credentials of another kind, too
 * @throws ServiceError `VALIDATION_FAILED` for several keys, or one beside other credentials: none of them is guessed
 */
export function presentedKey(values: readonly string[], isBesideOthers: boolean): string | undefined {
  const [value] = values
  if (value === undefined) return undefined
  if (values.length > 1 || value.includes(',')) throw refused('X-Api-Key must be sent once')
  if (isBesideOthers) throw refused('X-Api-Key must be sent without Authorization')
  return value
}

function refused(message: string): ServiceError {
  return fail('VALIDATION_FAILED', { validationErrors: [{ field: 'X-Api-Key', message, rejectedValue: null }] })
}
