import * as z from 'zod/mini'
import type { Clock } from '../../lib/runtime/clock.ts'
import { type Operator, operatorOf } from '../api-client.ts'
import { UsageError } from '../command.ts'
import { StartError } from '../start-error.ts'
import { askStage, goodJson } from './ask.ts'

const login = z.object({ token: z.string() })

/** Who listens, as headers of HTTP and metadata of gRPC alike. */
export interface StageCredentials {
  /** @throws StageAway, StartError */
  fields(): Promise<Readonly<Record<string, string>>>
  /** After a refusal; the next fields are new ones. @throws StartError when no others can be had */
  renew(): void
}

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
  if (!key) return operatorCaller(address, operatorOf(address, user, given), clock)
  return {
    fields: async () => ({ 'x-api-key': key }),
    renew() {
      throw new StartError(
        'The API key in GATEHOUSE_API_KEY is not, or no longer, good: have an admin make another one.',
      )
    },
  }
}

function operatorCaller(address: URL, operator: Operator, clock: Clock): StageCredentials {
  let token = 'token' in operator ? operator.token : undefined
  return {
    async fields() {
      token ??= await loggedIn(address, operator, clock)
      return { authorization: `Bearer ${token}` }
    },
    renew() {
      if (!('token' in operator)) token = undefined
      else throw new StartError('The token in GATEHOUSE_TOKEN is not, or no longer, good: log in and set a new one.')
    },
  }
}

async function loggedIn(address: URL, operator: Operator, clock: Clock): Promise<string> {
  if ('token' in operator) return operator.token
  const init = { method: 'POST', body: new URLSearchParams(operator) }
  return (await goodJson(await askStage(new URL('/api/auth/login', address), init, clock), login)).token
}
