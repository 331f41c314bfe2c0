/** The result of a check. */
export interface Finding {
  /** `warn` prevents only some tasks; `skipped` could not be tried. */
  readonly level: 'ok' | 'warn' | 'fail' | 'skipped'
  readonly check: string
  /** In one line; holds no secret, token or payload. */
  readonly message: string
  /** What to do. */
  readonly remedy?: string
}

export function passed(check: string, message: string): Finding {
  return { level: 'ok', check, message }
}

export function warn(check: string, message: string, remedy: string): Finding {
  return { level: 'warn', check, message, remedy }
}

export function failing(check: string, message: string, remedy: string): Finding {
  return { level: 'fail', check, message, remedy }
}
