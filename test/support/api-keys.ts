import { tokenOf } from './accounts.ts'
import { type Answer, bearer, type Call, call } from './client.ts'

/** A key of the running service, as an admin makes it. */
export interface MadeKey {
  readonly id: string
  /** The key itself. */
  readonly key: string
}

async function asAdmin(request: Call = {}): Promise<Call> {
  const { headers } = bearer(await tokenOf('admin'))
  return { ...request, headers: { ...headers, ...request.headers } }
}

export async function postKey(body: unknown): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  return call('/api/keys', await asAdmin({ method: 'POST', headers, body: JSON.stringify(body) }))
}

/** @param sources all if absent */
export async function makeKey(sources?: readonly string[]): Promise<MadeKey> {
  return (await postKey({ name: 'test', sources })).json
}

export async function listKeys(query = ''): Promise<Answer> {
  return call(`/api/keys${query}`, await asAdmin())
}

export async function deleteKey(id: string): Promise<Answer> {
  return call(`/api/keys/${id}`, await asAdmin({ method: 'DELETE' }))
}

export function withKey(key: string, headers: Call['headers'] = {}): Call {
  return { headers: { ...headers, 'x-api-key': key } }
}
