import type { Principal } from '../auth/principal.ts'
import type { TrailAction } from '../contract/trail-actions.ts'

/** Who did something. */
export interface Actor {
  /** The id of the account; absent for a machine. */
  readonly uid?: string | undefined
  readonly user?: string | undefined
  readonly authType?: string | undefined
  /** The id of the API key of a machine. */
  readonly apiKey?: string | undefined
}

/** What the trail records: who, from where, what. Never a secret, a token, a password or a payload. */
export interface TrailEntry extends Actor {
  readonly action: TrailAction
  /** Of what was refused or failed: why, as a code. */
  readonly outcome?: string | undefined
  /** The authentication method of the login. */
  readonly method?: string | undefined
  /** The keyed hash of the name that was typed. */
  readonly nameHash?: string | undefined
  /** The address of the caller. */
  readonly from: string
  readonly requestId?: string | undefined
  /** The object of the action: names and ids. */
  readonly target?: Readonly<Record<string, string>> | undefined
}

/** Records what happens. */
export interface Trail {
  /**
   * Settles once the line is in the trail and the head of its chain covers it.
   * @throws ServiceError `UNAVAILABLE`
   */
  record(entry: TrailEntry): Promise<void>
}

export function actorOf({ uid, username, authType, key }: Principal): Actor {
  return { uid, user: username, authType, apiKey: key?.id }
}
