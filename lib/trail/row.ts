import type { Principal } from '../auth/principal.ts'
import type { TrailAction, TrailOutcome, TrailTargetType } from '../contract/trail-actions.ts'

/** Who did something; undefined members are not known. */
export interface Actor {
  /** The id of the account; absent for a machine. */
  readonly uid?: string | undefined
  readonly name?: string | undefined
  readonly authType?: string | undefined
  /** The id of the API key of a machine. */
  readonly keyId?: string | undefined
}

/** What it was done to. */
export interface Target {
  readonly type: TrailTargetType
  readonly id?: string | undefined
  readonly name?: string | undefined
}

/** The new values, by their names. */
export type Change = Readonly<Record<string, string | number | boolean | readonly string[]>>

/** What somebody does. Never a secret, a token, a password or a payload. */
export interface Deed {
  readonly action: TrailAction
  readonly actor?: Actor | undefined
  /** The keyed hash of the name in a refused login. */
  readonly nameHash?: string | undefined
  readonly target?: Target | undefined
  readonly change?: Change | undefined
  /** The address of the caller. */
  readonly from: string
  readonly requestId?: string | undefined
}

/** One row of the audit trail: an action, and how it ended. */
export interface TrailRow extends Deed {
  readonly id: string
  readonly at: Date
  /** When the row is deleted. */
  readonly endsAt: Date
  readonly outcome: TrailOutcome
  /** Of what was refused or failed: why, as a code. */
  readonly error?: string | undefined
}

export function actorOf({ uid, username, authType, key }: Principal): Actor {
  return { uid, name: username, authType, keyId: key?.id }
}
