import type * as z from 'zod/mini'
import type { HttpRequest } from '../http-api.ts'

/** What an answer has to be: everything that is named here. */
export interface Expected {
  readonly status: number
  readonly json?: object
  readonly text?: RegExp
  readonly headers?: Readonly<Record<string, RegExp>>
}

/** A request that reaches a function through the HTTP API. */
export interface RequestCase {
  /** What it is; ends the title of a test. */
  readonly what: string
  /** A new one for each call. */
  request(): HttpRequest | Promise<HttpRequest>
  readonly answer: Expected
}

/** An event from a queue or a schedule. */
export interface JobCase {
  readonly what: string
  event(): object | Promise<object>
  readonly result: z.ZodMiniType
}

/** By function; the first of each is its daily work. */
export type RequestCases = Readonly<Record<string, readonly [RequestCase, ...RequestCase[]]>>
export type JobCases = Readonly<Record<string, readonly [JobCase, ...JobCase[]]>>
