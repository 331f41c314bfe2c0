/** What stands for the type of an event that nobody can tell any more. */
const NO_TYPE = 'UNKNOWN'

/** A type that is a name. Others may be any text that a sender likes, such as an address. */
const NAME = /^[\w.:/+-]{1,128}$/

/** A type as it may be kept without its payload. */
export function plainType(eventType: string): string {
  return NAME.test(eventType) ? eventType : NO_TYPE
}
