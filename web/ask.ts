import type * as z from 'zod'
import type { abouts } from '../lib/endpoints/abouts.ts'
import { problemIn } from './problem.ts'
import { type CallOptions, callWithSession } from './session-call.ts'

/** The body of an answer that is no error, as the contract declares it. */
type Json<Answers> = {
  [Status in keyof Answers]: Answers[Status] extends { readonly content: { readonly 'application/json': infer Schema } }
    ? Schema
    : never
}[keyof Answers]

type Abouts = ReturnType<typeof abouts>

export type Response<Name extends keyof Abouts> = z.output<Json<Abouts[Name]['answers']>>

/** What the service, or its absence, has against a call, in words for people. */
export class CallRefused extends Error {}

/** The answer of the service as it is declared. @throws Refusal */
export async function ask<T>(path: string, order?: CallOptions): Promise<T> {
  const { status, text } = await answerOf(callWithSession(path, order))
  if (status < 400) return JSON.parse(text)
  throw new CallRefused(problemIn(text) ?? `The service answered ${status}.`)
}

/** The answer to a call. @throws Refusal when there is none */
export function answerOf<T>(call: Promise<T>): Promise<T> {
  return call.catch(() => {
    throw new CallRefused('The service does not answer.')
  })
}

/** What went wrong, in words. @throws whatever is no {@link CallRefused} */
export function wordsOf(error: unknown): string {
  if (error instanceof CallRefused) return error.message
  throw error
}
