/** The service cannot answer now, and may later; the message says why in a few words. */
export class StageAway extends Error {
  override readonly name = 'StageAway'
  /** What it asked to wait, in milliseconds. */
  readonly retryAfter: number | undefined

  constructor(message: string, options: ErrorOptions & { readonly retryAfter?: number | undefined } = {}) {
    super(message, options)
    this.retryAfter = options.retryAfter
  }
}
