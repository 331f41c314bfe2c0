import type * as z from 'zod'
import type { Content } from '../contract/schemas.ts'
import type { ErrorCode } from '../errors.ts'
import type { Grants } from './grants.ts'

/** The groups in which endpoints are described. */
export const TAGS = {
  Greetings: 'One resource for each way in.',
  Login: 'Tokens, sessions and the pages of a browser.',
  Users: 'Users of the database and of the directory.',
  Operators: 'What became of webhook events, and having them run again.',
  Webhooks: 'Signed events of providers.',
  Description: 'This description.',
} as const

/** Everything about an endpoint that descriptions, tests and the deployment read, and no function. */
export interface About {
  readonly tag: keyof typeof TAGS
  readonly summary: string
  readonly description?: string
  readonly reads?: Reads
  /** Whether a call without a body is fine, where there is one. */
  readonly isBodyOptional?: true
  /** Parameters of the query that are taken as they come, each with its meaning. */
  readonly parameters?: Readonly<Record<string, string>>
  /** What the endpoint itself refuses, beside what its route and its input imply. */
  readonly refuses?: readonly ErrorCode[]
  /** By status, when all is well. */
  readonly answers: Readonly<Record<number, Answer>>
  /** What its function may do besides writing its own log and traces: exactly what its code asks of AWS. */
  readonly grants: readonly Grants[]
}

/** What an endpoint makes of a request; each kind has its own refusals. */
export interface Reads {
  readonly form?: z.core.$ZodType
  /** Fields of a form that are looked up one by one; what is missing counts as empty. */
  readonly fields?: z.core.$ZodType
  readonly json?: z.core.$ZodType
  readonly query?: z.core.$ZodObject
  /** A body signed as this provider signs. */
  readonly signed?: 'generic' | 'stripe' | 'github' | 'any provider'
  /** The parameters of a provider's question, with what each is for. */
  readonly challenge?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly description: string
  /** What it has beside the headers of every answer. */
  readonly headers?: readonly AnswerHeader[]
  /** Its schema by media type; strict, so that a field nobody declared is found. */
  readonly content?: Content
  readonly example?: unknown
}

/** The headers that some answers have, by their key in the description. */
export type AnswerHeader =
  | 'cookies'
  | 'cookiesIfAny'
  | 'disposition'
  | 'encoding'
  | 'entityTag'
  | 'keeping'
  | 'location'
  | 'policy'
  | 'revalidation'
  | 'vary'
