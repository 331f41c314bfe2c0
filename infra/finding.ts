/** The result of a check; any result but `ok` comes with a remedy. */
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

/** A result that prevents only some tasks. */
export function warn(check: string, message: string, remedy: string): Finding {
  return { level: 'warn', check, message, remedy }
}

export function failing(check: string, message: string, remedy: string): Finding {
  return { level: 'fail', check, message, remedy }
}
