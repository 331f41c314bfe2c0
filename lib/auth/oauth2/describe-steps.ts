import type { LoginField, LoginStep } from '../../contract/login-steps.ts'
import { fail } from '../../errors.ts'
import type { Principal } from '../principal.ts'

/**
 * The answer of `GET /api/oauth2/steps`, its members in the order in which they are declared: a stored map has none.
 * @throws ServiceError `LOGIN_STEPS_NOT_FOUND` for a session that did not begin with a provider
 */
export function describeSteps({ oauth2 }: Principal) {
  if (!oauth2?.login) throw fail('LOGIN_STEPS_NOT_FOUND')
  const { provider, login } = oauth2
  return { provider, at: login.at, steps: login.steps.map(inOrder) }
}

function inOrder({ name, method, url, sent, answer, checks }: LoginStep): LoginStep {
  const received = answer && { answer: { status: answer.status, fields: answer.fields.map(fieldInOrder) } }
  const held = checks.map(({ name: check, result, value }) => ({ name: check, result, value }))
  return { name, method, url, sent: sent.map(fieldInOrder), ...received, checks: held }
}

function fieldInOrder({ name, value }: LoginField): LoginField {
  return { name, value }
}
