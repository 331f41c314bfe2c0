import type * as z from 'zod'
import type { abouts } from '../lib/endpoints/abouts.ts'
import { CallRefused, problemIn } from './problem.ts'
import { type CallOptions, callWithSession } from './session-call.ts'

/** The body of a successful answer, as the contract declares it. */
type Json<Answers> = {
  [Status in keyof Answers]: Answers[Status] extends { readonly content: { readonly 'application/json': infer Schema } }
    ? Schema
    : never
}[keyof Answers]

type Abouts = ReturnType<typeof abouts>

export type Response<Name extends keyof Abouts> = z.output<Json<Abouts[Name]['answers']>>

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
