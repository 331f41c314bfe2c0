import type { Buffer } from 'node:buffer'
import type { Login } from '../operator/operator.ts'
import type { Ask } from '../operator/service-profile.ts'
import type { SenderCredentials } from '../senders/signers.ts'
import type { StageReply } from './reply.ts'

type Fields = Readonly<Record<string, string>>

/** Calls `/path` of the stage and reads the whole answer. @throws NoAnswer */
export type StageCaller = (path: string, init?: StageRequest) => Promise<StageReply>

export interface StageRequest {
  readonly method?: string
  readonly headers?: Fields
  readonly body?: string | Buffer | URLSearchParams
}

/** Further checks that the caller asked for. */
export interface Extras {
  readonly burst: boolean
  readonly retry: boolean
  readonly long: boolean
}

/** A deployed stage, seen from outside. The functions that return credentials throw Untried without them. */
export interface DeployedStage {
  readonly url: URL
  readonly extras: Extras
  readonly ask: Ask
  readonly call: StageCaller
  /** The credentials of an admin. */
  admin(): Promise<Fields>
  /** A user with a password. */
  login(): Promise<Login>
  /** The token of a user who is no admin. */
  plainToken(): Promise<string>
  /** The secret of the sender `order-status` or `payment`. */
  credentials(sender: OwnSender): SenderCredentials
  /** Its stack on AWS. */
  stack(): Promise<StackFacts>
  newEventId(suffix?: string): string
  /** Notes an event that may be left behind. */
  leave(sender: OwnSender, eventId: string): void
  /** In milliseconds, from any origin. */
  now(): number
  pause(milliseconds: number): Promise<void>
}

export type OwnSender = 'order-status' | 'payment'

/** The protection of a deployed stage from deletion. */
export interface StackFacts {
  /** Whether its data must outlive it (`data=kept`). */
  readonly isKept: boolean
  readonly isProtected: boolean
  /** The names of unprotected tables, and of all. */
  readonly unprotectedTables: readonly string[]
  readonly tables: readonly string[]
}
