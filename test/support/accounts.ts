import { demoUser as userOf } from '../../localstack/demo-users.ts'
import { call, form } from './client.ts'

/** The demo user of a name, whether they can log in in the profile or not. */
export function demoUser(username: string) {
  const user = userOf(username)
  if (!user) throw new Error(`no demo user ${username}`)
  return user
}

/** A fresh token of a demo user. */
export async function tokenOf(username: string): Promise<string> {
  const { password } = demoUser(username)
  const { json } = await call('/api/auth/login', form({ username, password }))
  return json.token
}
