import { signal } from '@preact/signals'
import { facts } from './facts.ts'

/** Whether the session with which the page was opened has ended. */
export const isSessionOver = signal(false)

export interface CallOptions {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Sent as JSON. */
  readonly body?: object
}

export interface RawResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Calls the service with the session of the page, and detects its end. Rejects when there is no answer. */
export async function callWithSession(path: string, { method = 'GET', body }: CallOptions = {}): Promise<RawResponse> {
  const headers = new Headers({ accept: 'application/json' })
  if (method !== 'GET') headers.set('x-xsrf-token', facts.csrfToken)
  if (body) headers.set('content-type', 'application/json')
  const response = await fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  if (response.status === 401 && facts.user) isSessionOver.value = true
  return { status: response.status, headers: response.headers, text: await response.text() }
}
