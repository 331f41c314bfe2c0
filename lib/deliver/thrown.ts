const NAME = /^[A-Za-z_$][\w$]{0,63}$/
const CODE = /^[A-Z][A-Z0-9_]{1,63}$/

/** A stack line in a file of the team's code. */
const FRAME = /^ {4}at .*?\bhandlers\/([a-z0-9][\w.-]*\/[\w-]+\.ts):(\d+)(?::(\d+))?/m

/**
 * What a handler threw, in one line: the class, the code and the place, `TypeError at handlers/shop/order-paid.ts:7:3`.
 * The message is left out, because it may contain what the handler was given.
 */
export function thrownText(thrown: unknown): string {
  if (!(thrown instanceof Error)) return `threw ${thrown === null ? 'null' : `a value of type ${typeof thrown}`}`
  const name = NAME.test(thrown.name) ? thrown.name : 'Error'
  const code = 'code' in thrown && CODE.test(String(thrown.code)) ? ` ${thrown.code}` : ''
  const [, file, line, column] = FRAME.exec(framesOf(thrown)) ?? []
  const place = file === undefined ? '' : ` at handlers/${[file, line, column].filter(Boolean).join(':')}`
  return `threw ${name}${code}${place}`
}

/** The stack without the message before it. */
function framesOf({ stack = '', message }: Error): string {
  const end = stack.indexOf(message)
  return end < 0 ? stack : stack.slice(end + message.length)
}
