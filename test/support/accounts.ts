import { call, form } from './client.ts'
import { served } from './served.ts'

/** The demo user of a name, as the running service seeded it. */
export function demoUser(username: string) {
  const user = served('ready').users.find((candidate) => candidate.username === username)
  if (!user) throw new Error(`no demo user ${username}`)
  return user
}

/** A fresh token of a demo user. */
export async function tokenOf(username: string): Promise<string> {
  const { password } = demoUser(username)
  const { json } = await call('/api/auth/login', form({ username, password }))
  return json.token
}
