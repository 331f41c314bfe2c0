import { ServiceError } from '../lib/errors.ts'
import { StartError } from './start-error.ts'

/** What a command says when the local run's tables do not answer; any other error as it is. */
export function noTables(error: unknown, endpoint: string): unknown {
  const isDown = error instanceof ServiceError && error.is('UNAVAILABLE')
  const isEmpty = error instanceof Error && error.name === 'ResourceNotFoundException'
  if (!isDown && !isEmpty) return error
  return new StartError(`No tables answer at ${endpoint}: start the service first.`, { cause: error })
}
