import { Buffer } from 'node:buffer'
import { env } from 'node:process'
import type * as z from 'zod/mini'
import { StartError } from '../errors.ts'
import { localRun } from '../local-run.ts'
import { type Ask, operatorCredentials, operatorOf } from './operator.ts'
import { expectedBody, jsonIfAny, refusalReason, refused } from './refusal.ts'

export type ApiClient = ReturnType<typeof serviceApi>

/**
 * The API at an address, or of the local run; its caller is the operator whom the environment names. All requests throw
 * StartError when the service refuses or does not answer.
 */
export function serviceApi(url: URL | undefined, user?: string) {
  const address = url ?? localRun(env).address
  const ask = askAt(address)
  const credentials = operatorCredentials(operatorOf(address, user, env), ask)

  /** Logs in again when a token or a session ends while a long replay is watched. */
  async function send(path: string, given: Sent = {}): Promise<Response> {
    const response = await sendOnce(path, given)
    return response.status === 401 && credentials.renew() ? sendOnce(path, given) : response
  }

  async function sendOnce(path: string, { headers, ...init }: Sent): Promise<Response> {
    return ask(path, { ...init, headers: { ...headers, ...(await credentials.http()) } })
  }

  return {
    get: async <S extends z.ZodMiniType>(path: string, answer: S) => expectedBody(await send(path), answer),
    /** The body of an answer, unparsed. */
    async bytes(path: string): Promise<Buffer> {
      const response = await send(path)
      if (!response.ok) throw refused(response.status, await jsonIfAny(response))
      return Buffer.from(await response.arrayBuffer())
    },
    async post<S extends z.ZodMiniType>(path: string, order: object, answer: S) {
      const headers = { 'content-type': 'application/json' }
      return expectedBody(await send(path, { method: 'POST', headers, body: JSON.stringify(order) }), answer)
    },
    /** @returns the reason of a refusal with one of these statuses; undefined after a success */
    async remove(path: string, expected: readonly number[]): Promise<string | undefined> {
      const response = await send(path, { method: 'DELETE' })
      if (response.ok) return undefined
      const body = await jsonIfAny(response)
      if (expected.includes(response.status)) return refusalReason(body)
      throw refused(response.status, body)
    },
  }
}

type Sent = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> }

/** What changes nothing more when it is sent again (RFC 9110, section 9.2.2). */
const REPEATABLE: readonly string[] = ['GET', 'HEAD', 'DELETE']

/** What Node and its client say of a connection that there was. */
const BROKEN_OFF = /^(?:ECONNRESET|EPIPE|UND_ERR_\w+)$/

/**
 * Sends requests to an address. A connection that a server closed may still be used for the next request: one that may be
 * repeated is.
 * @throws StartError when nothing answers, or a connection breaks off
 */
export function askAt(address: URL): Ask {
  const { origin } = address
  return async (path, init = {}) => {
    const send = async () => {
      const response = await fetch(new URL(path, address), { ...init, redirect: 'manual' })
      // All of it is here before anything is made of it.
      await response.clone().arrayBuffer()
      return response
    }
    const isRepeatable = REPEATABLE.includes(init.method ?? 'GET')
    try {
      return await send().catch((cause) => {
        if (isRepeatable && BROKEN_OFF.test(codeOf(cause))) return send()
        throw cause
      })
    } catch (cause) {
      const code = codeOf(cause)
      const reason = `The connection to ${origin} broke off (${code}). Whether the request was carried out is unknown.`
      throw new StartError(BROKEN_OFF.test(code) ? reason : `Nothing answers at ${origin}: start the service first.`, {
        cause,
      })
    }
  }
}

/** Of a system call, or of Node's client, if it says one. */
function codeOf(error: unknown): string {
  const { code } = Object((error as { readonly cause?: unknown }).cause) as { readonly code?: unknown }
  return typeof code === 'string' ? code : ''
}
