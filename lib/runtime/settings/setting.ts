/** What one variable of the environment says. */
export interface Setting<T> {
  /**
   * @param text undefined where the variable is not set
   * @throws Error whose message is the rule that the text broke; it must not quote the text
   */
  readonly read: (text: string | undefined) => T
  /** The default of an optional variable. */
  readonly fallback?: T | undefined
}
