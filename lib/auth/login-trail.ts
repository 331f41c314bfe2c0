/** Who logged in, or ended all logins. */
export interface LoggedIn {
  readonly uid: string
  readonly username: string
  readonly authType: string
}

/** Records logins. */
export interface LoginTrail {
  /** A login that stores nothing. It never rejects: the login does not depend on it, and a row that is missing is logged. */
  accepted(who: LoggedIn, address: string): Promise<void>
  /**
   * Begins what a login stores, or ends all logins of an account, together with the row that says so.
   * @throws the error of the change
   */
  recorded<T>(
    action: 'login.accepted' | 'logins.ended',
    who: LoggedIn,
    address: string,
    change: () => Promise<T>,
  ): Promise<T>
  /** It never rejects. @param name as it was typed, of which only a keyed hash is recorded: it may be a password */
  refused(name: string, address: string): Promise<void>
  /** Guesses from an address were refused unheard; the first of a window is recorded. It never rejects. */
  throttled(address: string): Promise<void>
}
