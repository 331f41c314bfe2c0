/** What a check found; whatever is not `ok` comes with what to do about it. */
export type Finding = Sound | Unsound

interface Sound {
  readonly level: 'ok'
  readonly check: string
  readonly message: string
}

interface Unsound extends Omit<Sound, 'level'> {
  readonly level: 'warn' | 'fail'
  readonly remedy: string
}

export function passed(check: string, message: string): Finding {
  return { level: 'ok', check, message }
}

/** Something can be done without it. */
export function warn(check: string, message: string, remedy: string): Finding {
  return { level: 'warn', check, message, remedy }
}

export function failing(check: string, message: string, remedy: string): Finding {
  return { level: 'fail', check, message, remedy }
}
