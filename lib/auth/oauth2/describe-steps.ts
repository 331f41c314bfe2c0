import { fail } from '../../errors.ts'
import type { Principal } from '../principal.ts'

/**
 * The answer of `GET /api/oauth2/steps`.
 * @throws ServiceError `LOGIN_STEPS_NOT_FOUND` for a session that did not begin with a provider
 */
export function describeSteps({ oauth2 }: Principal) {
  if (!oauth2?.login) throw fail('LOGIN_STEPS_NOT_FOUND')
  return { provider: oauth2.provider, ...oauth2.login }
}
