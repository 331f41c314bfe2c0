import { demoUser } from '../demo-users.ts'
import { StartError } from '../start-error.ts'

/** A name and the password to it. */
export interface Login {
  readonly username: string
  readonly password: string
}

/** Who orders something of a service: a token, a user, or whichever demo admin its profile has. */
export type Operator = { readonly token: string } | Login | 'demo admin'

export const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

/**
 * The operator that the environment names: GATEHOUSE_TOKEN, or GATEHOUSE_PASSWORD with a name; otherwise a demo user, by
 * default an admin. Demo users exist only on a local run, so their passwords go nowhere else.
 * @throws StartError if there is none
 */
export function operatorOf(address: URL, user: string | undefined, given: NodeJS.ProcessEnv): Operator {
  if (given['GATEHOUSE_TOKEN']) return { token: given['GATEHOUSE_TOKEN'] }
  if (user !== undefined) return loginOf(address, user, given)
  if (LOOPBACK.includes(address.hostname)) return 'demo admin'
  throw nobody()
}

/** The named user with GATEHOUSE_PASSWORD, or a demo user of a local run. @throws StartError if there is no password */
export function loginOf({ hostname }: URL, user: string, given: NodeJS.ProcessEnv): Login {
  const password = given['GATEHOUSE_PASSWORD']
  if (password) return { username: user, password }
  const demo = demoUser(user)
  if (LOOPBACK.includes(hostname) && demo) return demo
  throw nobody()
}

function nobody(): StartError {
  return new StartError('Who asks? Set GATEHOUSE_PASSWORD and name the user that it is of, or set GATEHOUSE_TOKEN.')
}
