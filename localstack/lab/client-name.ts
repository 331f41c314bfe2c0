import { invalid } from '../../lib/errors.ts'

/** The header that names a client; a call without it belongs to {@link UNNAMED}. */
export const CLIENT_HEADER = 'x-client-name'

export const UNNAMED = 'unnamed'

export const CLIENT_NAME = /^[\w.-]{1,64}$/

const RULE = 'must be 1 to 64 letters, digits, dots, hyphens or underscores'

/**
 * @param field where the name stood
 * @throws ServiceError `VALIDATION_FAILED`
 */
export function clientName(given: string, field: string): string {
  if (!CLIENT_NAME.test(given)) throw invalid([{ path: [field], message: RULE }])
  return given
}
