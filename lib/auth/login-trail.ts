/** The authentication method of a login. */
export type LoginMethod = 'basic' | 'form' | 'token' | 'oauth2' | 'passkey'

/** Who logged in, or ended all logins. */
export interface LoggedIn {
  readonly uid: string
  readonly username: string
  readonly authType: string
}

/**
 * Records logins. Nothing here ever rejects: a login does not depend on the trail, but a line that is missing is logged
 * and rings an alarm.
 */
export interface LoginTrail {
  accepted(who: LoggedIn, method: LoginMethod, address: string): Promise<void>
  /** @param name as it was typed, of which only a keyed hash is recorded: it may be a password */
  refused(name: string, method: LoginMethod, address: string): Promise<void>
  /** All sessions and tokens of an account were ended by its owner. */
  ended(who: LoggedIn, address: string): Promise<void>
}
