import { demoUser as userOf } from '../../localstack/demo-users.ts'
import { call, form } from './client.ts'
import { served } from './served.ts'

/** The demo user of a name, whether they can log in in the profile or not. */
export function demoUser(username: string) {
  const user = userOf(username)
  if (!user) throw new Error(`no demo user ${username}`)
  return user
}

/** What makes a credential wants a login of the last five minutes. */
const KEPT_MS = 240_000

const tokens = new Map<string, { readonly token: string; readonly at: number }>()

/** A token of a demo user, the same for all tests of a worker for some minutes: each login hashes the password. */
export async function tokenOf(username: string): Promise<string> {
  const key = `${username} at ${served('http')}`
  const known = tokens.get(key)
  if (known && Date.now() - known.at < KEPT_MS) return known.token
  const { password } = demoUser(username)
  const { json } = await call('/api/auth/login', form({ username, password }))
  tokens.set(key, { token: json.token, at: Date.now() })
  return json.token
}
