import { AsyncLocalStorage } from 'node:async_hooks'
import type { Principal } from '../auth/principal.ts'
import type { TrailAction, TrailOutcome, TrailTargetType } from '../contract/requests/trail.ts'

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

/** What a user does. Never a secret, a token, a password or a payload. */
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

/** An action under way. */
export interface Act {
  /** The table of its row. */
  readonly table: string
  /** Its row, if it is done. What is known of its target may change until then. */
  row: TrailRow
  /** Whether the row is stored. */
  isStored: boolean
}

const underWay = new AsyncLocalStorage<Act>()

/** Runs the work of an action. A store takes its row along with the change that it makes. */
export function during<T>(act: Act, work: () => T): T {
  return underWay.run(act, work)
}

/** The action whose row the next change takes along; undefined outside of one, and once its row is stored. */
export function actToStore(): Act | undefined {
  const act = underWay.getStore()
  return act?.isStored === false ? act : undefined
}

/** Says what the action under way is done to, and the new values; nothing happens outside of one. */
export function actsOn(target: Target, change?: Change): void {
  const act = underWay.getStore()
  if (act) act.row = { ...act.row, target, change: change ? { ...act.row.change, ...change } : act.row.change }
}
