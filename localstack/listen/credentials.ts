import type { Clock } from '../../lib/runtime/time.ts'
import { UsageError } from '../command.ts'
import { type OperatorCredentials, operatorCredentials } from '../operator/credentials.ts'
import { operatorOf } from '../operator/operator.ts'
import { StartError } from '../start-error.ts'
import { askStage } from './ask.ts'

/** Who listens. The functions throw StageAway and StartError, `renew` the latter when no others can be had. */
export type StageCredentials = OperatorCredentials

/**
 * The credentials that the environment names: an API key, a token, or a user with a password.
 * @throws UsageError when it names two, StartError when it names none
 */
export function credentialsFor(
  address: URL,
  user: string | undefined,
  given: NodeJS.ProcessEnv,
  clock: Clock,
): StageCredentials {
  const { GATEHOUSE_API_KEY: key, GATEHOUSE_TOKEN: token } = given
  if (key && token) throw new UsageError('Set GATEHOUSE_TOKEN or GATEHOUSE_API_KEY, not both')
  if (key) return keyCredentials(key)
  const operator = operatorOf(address, user, given)
  const credentials = operatorCredentials(operator, (path, init) => askStage(new URL(path, address), init, clock))
  if (!token) return credentials
  return { ...credentials, renew: () => ended('token in GATEHOUSE_TOKEN', 'log in and set a new one') }
}

function keyCredentials(key: string): StageCredentials {
  const fields = async () => ({ 'x-api-key': key })
  return {
    http: fields,
    grpc: fields,
    renew: () => ended('API key in GATEHOUSE_API_KEY', 'have an admin make another one'),
  }
}

function ended(what: string, remedy: string): never {
  throw new StartError(`The ${what} is not, or no longer, good: ${remedy}.`)
}
