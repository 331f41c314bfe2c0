import * as z from 'zod/mini'
import { StartError } from './start-error.ts'

/** How far a replay is, as the service tells it. */
export type ReplayState = z.output<typeof replayState>

const replayState = z.object({
  replayId: z.string(),
  state: z.enum(['RUNNING', 'DONE']),
  matched: z.number(),
  done: z.number(),
  failed: z.number(),
})

const login = z.object({ token: z.string() })
const counted = z.object({ matched: z.number() })
const refusal = z.object({
  message: z.string(),
  details: z.optional(
    z.object({
      validationErrors: z._default(z.array(z.object({ field: z.string(), message: z.string() })), []),
    }),
  ),
})

/** What an operator proves to be one with: a token, or what gets one. */
export type Operator = { readonly token: string } | { readonly username: string; readonly password: string }

interface Request {
  readonly path: string
  readonly order?: object
}

/** The requests that a replay takes. All throw StartError when the service refuses or does not answer. */
export function replayClient(address: URL, operator: Operator) {
  let token = 'token' in operator ? operator.token : undefined

  async function renewToken(): Promise<string> {
    if ('token' in operator) return operator.token
    const response = await reach(new URL('/api/auth/login', address), {
      method: 'POST',
      body: new URLSearchParams(operator),
    })
    return (await bodyOf(response, login)).token
  }

  /** A token may run out while a long replay is watched. */
  async function send(request: Request): Promise<Response> {
    token ??= await renewToken()
    const response = await sendWith(token, request)
    if (response.status !== 401 || 'token' in operator) return response
    token = await renewToken()
    return sendWith(token, request)
  }

  function sendWith(bearer: string, { path, order }: Request): Promise<Response> {
    const authorization = `Bearer ${bearer}`
    if (order === undefined) return reach(new URL(path, address), { headers: { authorization } })
    const headers = { authorization, 'content-type': 'application/json' }
    return reach(new URL(path, address), { method: 'POST', headers, body: JSON.stringify(order) })
  }

  return {
    /** How many events the order would take up. */
    async count(order: object): Promise<number> {
      const response = await send({ path: '/api/webhooks/replays', order: { ...order, dryRun: true } })
      return (await bodyOf(response, counted)).matched
    },
    /** Starts the replay, or finds it going on. */
    async start(order: object): Promise<ReplayState> {
      return bodyOf(await send({ path: '/api/webhooks/replays', order }), replayState)
    },
    async find(replayId: string): Promise<ReplayState> {
      return bodyOf(await send({ path: `/api/webhooks/replays/${encodeURIComponent(replayId)}` }), replayState)
    },
  }
}

async function reach(address: URL, init: RequestInit): Promise<Response> {
  return fetch(address, init).catch((cause) => {
    throw new StartError(`Nothing answers at ${address.origin}: start the service first.`, { cause })
  })
}

async function bodyOf<S extends z.ZodMiniType>(response: Response, schema: S): Promise<z.output<S>> {
  const body: unknown = await response.json().catch(() => undefined)
  const parsed = z.safeParse(schema, body)
  if (response.ok && parsed.success) return parsed.data
  throw new StartError(`The service answers ${response.status}: ${reasonOf(body)}`)
}

function reasonOf(body: unknown): string {
  const { success, data } = z.safeParse(refusal, body)
  if (!success) return 'nothing that can be understood'
  const rules = data.details?.validationErrors.map(({ field, message }) => `${field} ${message}`) ?? []
  return [data.message, ...rules].join('; ')
}
