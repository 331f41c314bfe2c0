import { Buffer } from 'node:buffer'
import * as z from 'zod/mini'
import users from './demo-users.json' with { type: 'json' }
import { StartError } from './start-error.ts'

/** An operator's credentials: a token, or the name and password to get one. */
export type Operator = { readonly token: string } | { readonly username: string; readonly password: string }

/** Requests of an operator. All throw StartError when the service refuses or does not answer. */
export interface ApiClient {
  get<S extends z.ZodMiniType>(path: string, answer: S): Promise<z.output<S>>
  /** The body of an answer, unparsed. */
  bytes(path: string): Promise<Buffer>
  post<S extends z.ZodMiniType>(path: string, order: object, answer: S): Promise<z.output<S>>
  /** @returns the reason of a refusal with one of these statuses; undefined if it is done */
  remove(path: string, expected: readonly number[]): Promise<string | undefined>
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

const login = z.object({ token: z.string() })
const refusal = z.object({
  message: z.string(),
  details: z.optional(
    z.object({
      validationErrors: z._default(z.array(z.object({ field: z.string(), message: z.string() })), []),
    }),
  ),
})

export function apiClient(address: URL, operator: Operator): ApiClient {
  let token = 'token' in operator ? operator.token : undefined

  /** Renews a token that expires while a long replay is watched. */
  async function send(path: string, given: Sent = {}): Promise<Response> {
    token ??= await renewedToken(address, operator)
    const response = await sendWith(token, path, given)
    if (response.status !== 401 || 'token' in operator) return response
    token = await renewedToken(address, operator)
    return sendWith(token, path, given)
  }

  function sendWith(bearer: string, path: string, { headers, ...init }: Sent): Promise<Response> {
    return reach(new URL(path, address), { ...init, headers: { ...headers, authorization: `Bearer ${bearer}` } })
  }

  return {
    get: async (path, answer) => bodyOf(await send(path), answer),
    async bytes(path) {
      const response = await send(path)
      if (!response.ok) throw refused(response.status, await response.json().catch(() => undefined))
      return Buffer.from(await response.arrayBuffer())
    },
    post: async (path, order, answer) => bodyOf(await send(path, asJson(order)), answer),
    async remove(path, expected) {
      const response = await send(path, { method: 'DELETE' })
      if (response.ok) return undefined
      const body: unknown = await response.json().catch(() => undefined)
      if (expected.includes(response.status)) return refusalReason(body)
      throw refused(response.status, body)
    },
  }
}

type Sent = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> }

function asJson(order: object): Sent {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(order) }
}

/**
 * The operator's credentials: GATEHOUSE_TOKEN, or GATEHOUSE_PASSWORD with a name; otherwise a demo user, by default an
 * admin. Demo users exist only on a local run, so their passwords go nowhere else.
 * @throws StartError if there are no credentials
 */
export function operatorOf({ hostname }: URL, user: string | undefined, given: NodeJS.ProcessEnv): Operator {
  if (given['GATEHOUSE_TOKEN']) return { token: given['GATEHOUSE_TOKEN'] }
  const password = given['GATEHOUSE_PASSWORD']
  if (user !== undefined && password) return { username: user, password }
  const demo = users.find(({ username, role }) => (user === undefined ? role === 'ROLE_ADMIN' : username === user))
  if (LOOPBACK.includes(hostname) && demo) return { username: demo.username, password: demo.password }
  throw new StartError('Who asks? Set GATEHOUSE_PASSWORD and name the user that it is of, or set GATEHOUSE_TOKEN.')
}

/** Logs in and returns a new token. @throws StartError */
export async function renewedToken(address: URL, operator: Operator): Promise<string> {
  if ('token' in operator) return operator.token
  const init = { method: 'POST', body: new URLSearchParams(operator) }
  return (await bodyOf(await reach(new URL('/api/auth/login', address), init), login)).token
}

/** Sends one request. @throws StartError when nothing answers */
export async function reach(address: URL, init: RequestInit): Promise<Response> {
  return fetch(address, init).catch((cause) => {
    throw new StartError(`Nothing answers at ${address.origin}: start the service first.`, { cause })
  })
}

async function bodyOf<S extends z.ZodMiniType>(response: Response, schema: S): Promise<z.output<S>> {
  const body: unknown = await response.json().catch(() => undefined)
  const parsed = z.safeParse(schema, body)
  if (response.ok && parsed.success) return parsed.data
  throw refused(response.status, body)
}

function refused(status: number, body: unknown): StartError {
  return new StartError(`The service answers ${status}: ${refusalReason(body)}`)
}

/** What a refusal says, in one line. */
export function refusalReason(body: unknown): string {
  const { success, data } = z.safeParse(refusal, body)
  if (!success) return 'nothing that can be understood'
  const rules = data.details?.validationErrors.map(({ field, message }) => `${field} ${message}`) ?? []
  return [data.message, ...rules].join('; ')
}
