import { AsyncLocalStorage } from 'node:async_hooks'
import type { CustomFetch } from 'openid-client'
import type { StepRecorder } from '../../auth/oauth2/steps.ts'
import type { StepName } from '../../contract/login-steps.ts'
import { boundedFetch } from './bounded-fetch.ts'

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
