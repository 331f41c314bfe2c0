import { AsyncLocalStorage } from 'node:async_hooks'
import type { CustomFetch } from 'openid-client'
import type { StepRecorder } from '../../auth/oauth2/steps.ts'
import type { StepName } from '../../contract/login-steps.ts'
import { unavailable } from '../../errors.ts'

/** The client library has one fetch for all logins, so the recorder of a login travels in async context. */
const recorders = new AsyncLocalStorage<StepRecorder>()

/** Runs a part of a login and records its requests. */
export function recorded<T>(recorder: StepRecorder, run: () => Promise<T>): Promise<T> {
  return recorders.run(recorder, run)
}

/**
 * The bounded fetch, whose requests are steps of a login.
 * @param steps by address without query; a request to another address is no step
 */
export function recordedFetch(steps: Readonly<Record<string, StepName>>): CustomFetch {
  return async (address, options) => {
    const response = await boundedFetch(address, options)
    const url = new URL(address)
    const name = steps[`${url.origin}${url.pathname}`]
    if (name === undefined) return response
    const parameters = options.body instanceof URLSearchParams ? options.body : undefined
    const answer = { status: response.status, body: await jsonOf(response.clone()) }
    recorders.getStore()?.made(name, { method: options.method, url, parameters }, answer)
    return response
  }
}

/** Undefined for a text that is no JSON: the library refuses it. */
async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    return undefined
  }
}

/** More than any key set or profile, and little enough to hold. */
const MAXIMUM_BYTES = 262_144

/**
 * Fetches for the client library, which sets the time limit of each request.
 * @throws ServiceError `UNAVAILABLE` when the provider is down, too slow, failing, or sends without end
 */
export const boundedFetch: CustomFetch = async (url, { body, ...options }) => {
  try {
    const response = await fetch(url, { ...options, body: body ?? null })
    if (response.status >= 500) throw new Error(`the provider answered ${response.status}`)
    const bytes = await boundedBody(response)
    return new Response(bytes, { status: response.status, headers: response.headers })
  } catch (error) {
    throw unavailable(error)
  }
}

async function boundedBody({ body }: Response): Promise<Buffer<ArrayBuffer> | null> {
  if (!body) return null
  const chunks: Uint8Array[] = []
  let length = 0
  // Leaving the loop cancels the rest.
  for await (const chunk of body) {
    length += chunk.length
    if (length > MAXIMUM_BYTES) throw new Error('the provider sent too much')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
