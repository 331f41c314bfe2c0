/** Logs in, and calls an endpoint without and with the token: what a test of a client does first. */
const [base, username = '', password = ''] = process.argv.slice(2)
const body = new URLSearchParams({ username, password })
const login = await fetch(`${base}/api/auth/login`, { method: 'POST', body })
const { token } = (await login.json()) as { readonly token: string }
const statusOf = async (headers: Record<string, string>) =>
  (await fetch(`${base}/api/admin/secure`, { headers })).status
process.stdout.write(`${await statusOf({})} ${await statusOf({ authorization: `Bearer ${token}` })}\n`)
