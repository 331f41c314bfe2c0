import { signal } from '@preact/signals'
import { facts } from './facts.ts'

/** Whether the session that the page was opened with has ended since. */
export const isSessionOver = signal(false)

export interface CallOptions {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  /** Sent as JSON. */
  readonly body?: object
}

export interface RawResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Calls the service with the session of the page, and notices when that is over. Rejects when nobody answers. */
export async function callWithSession(path: string, { method = 'GET', body }: CallOptions = {}): Promise<RawResponse> {
  const headers = new Headers({ accept: 'application/json' })
  if (method !== 'GET') headers.set('x-xsrf-token', facts.csrfToken)
  if (body) headers.set('content-type', 'application/json')
  const response = await fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  if (response.status === 401 && facts.user) isSessionOver.value = true
  return { status: response.status, headers: response.headers, text: await response.text() }
}
