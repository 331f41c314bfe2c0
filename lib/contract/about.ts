import type * as z from 'zod'
import type { ErrorCode } from '../errors.ts'
import { type Content, jsonContent } from './answers/shapes.ts'
import type { Grants } from './grants.ts'
import type { SampleRequest } from './route.ts'

/** The groups of endpoints in the descriptions. */
export const TAGS = {
  Greetings: 'One resource for each authentication method.',
  Login: 'Tokens and sessions.',
  Keys: 'Keys that let machines read events.',
  Passkeys: 'Passkeys of your account.',
  Users: 'Users of the database and of the directory, and the sessions of all.',
  Account: 'Your own password and sessions.',
  Messages: 'Messages to clients of the channels.',
  Operators: 'The state of webhook events, retries and replays.',
  Webhooks: 'Signed events of providers.',
  Pages: 'The pages for a browser, and their files.',
  Description: 'This description.',
} as const

/** The facts about an endpoint for descriptions, tests and the deployment; no function loads them. */
export interface About {
  readonly tag: keyof typeof TAGS
  readonly summary: string
  readonly description?: string
  readonly reads?: Reads
  /** The payload of a webhook, if we define it. */
  readonly payload?: z.core.$ZodType
  /** A body that the endpoint takes; needed where it reads one. */
  readonly bodyExample?: unknown
  /** Whether the body, if the endpoint reads one, may be absent. */
  readonly isBodyOptional?: true
  /** Query parameters that are not validated, each with its meaning. */
  readonly parameters?: Readonly<Record<string, string>>
  /** The refusals of the endpoint itself, in addition to those that its route and input imply. */
  readonly refuses?: readonly ErrorCode[]
  /** The successful answers by status. */
  readonly answers: Readonly<Record<number, Answer>>
  /** A request of the auth lab, if it needs more than a path. */
  readonly sample?: SampleRequest
  /** Exactly the rights that its function's code uses on AWS, without those for its own log and traces. */
  readonly grants: readonly Grants[]
}

/** What an endpoint reads of a request; each kind has its own refusals. */
export interface Reads {
  readonly form?: z.core.$ZodType
  readonly json?: z.core.$ZodType
  readonly query?: z.core.$ZodObject
  /** The provider whose scheme signs the body. */
  readonly signed?: 'generic' | 'stripe' | 'github' | 'any provider'
  /** The parameters of a provider's challenge, each with its purpose. */
  readonly challenge?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly description: string
  /** Its headers, in addition to those of every answer. */
  readonly headers?: readonly AnswerHeader[]
  /** Its schema by media type; strict, so that an undeclared field is found. */
  readonly content?: Content
  /** In its only media type. */
  readonly example?: unknown
  /** In each media type of several. */
  readonly examples?: Readonly<Partial<Record<keyof Content, unknown>>>
}

/** Headers that only some answers have, by their key in the description. */
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

/** A successful answer in JSON. */
export function jsonAnswer(description: string, schema: z.ZodType, example: unknown): Answer {
  return { description, content: jsonContent(schema), example }
}
