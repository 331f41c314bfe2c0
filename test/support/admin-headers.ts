import type { Ready } from '../../localstack/stack/ready.ts'

/** Logs in as an admin of a running service; the headers for the calls of this admin. */
export async function adminHeaders({ http, users }: Ready): Promise<{ readonly authorization: string }> {
  const { username = '', password = '' } = users.find(({ role }) => role === 'ROLE_ADMIN') ?? {}
  const body = new URLSearchParams({ username, password })
  const response = await fetch(`${http}/api/auth/login`, { method: 'POST', body })
  const { token } = (await response.json()) as { readonly token: string }
  return { authorization: `Bearer ${token}` }
}
