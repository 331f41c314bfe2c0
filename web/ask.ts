import { type Signal, signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type * as z from 'zod'
import { facts } from './facts.ts'
import { CallRefused, problemIn } from './problem.ts'

/** The body of a successful answer, as its schema declares it. */
export type Response<Schema extends z.ZodType> = z.output<Schema>

/** The service's answer, typed as declared; null for an empty one. @throws CallRefused */
export async function ask<T>(path: string, order?: CallOptions): Promise<T> {
  const { status, text } = await answerOf(callWithSession(path, order))
  if (status < 400) return JSON.parse(text === '' ? 'null' : text)
  throw new CallRefused(problemIn(text) ?? `The service answered ${status}.`)
}

/** The answer to a call. @throws CallRefused when there is none */
export function answerOf<T>(call: Promise<T>): Promise<T> {
  return call.catch(() => {
    throw new CallRefused('The service does not answer.')
  })
}

/** The message of an error. @throws the error itself unless it is a {@link CallRefused} */
export function wordsOf(error: unknown): string {
  if (error instanceof CallRefused) return error.message
  throw error
}

interface Asked<T> {
  /** Undefined until the first answer. */
  readonly answer: Signal<T | undefined>
  /** Why there is none, or none that is newer. */
  readonly problem: Signal<string | undefined>
  readonly reread: () => Promise<void>
}

/** An answer of the API, asked for when a component appears. */
export function useAnswer<T>(path: string): Asked<T> {
  const answer = useSignal<T | undefined>(undefined)
  const problem = useSignal<string | undefined>(undefined)

  async function reread(): Promise<void> {
    try {
      answer.value = await ask<T>(path)
    } catch (error) {
      problem.value = wordsOf(error)
    }
  }

  useEffect(() => void reread(), [path])
  return { answer, problem, reread }
}

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
