/** The type of an event whose own type is not kept. */
const NO_TYPE = 'UNKNOWN'

/** A type that is a name. Other types may be any text that the sender chose, such as an address. */
const NAME = /^[\w.:/+-]{1,128}$/

/** The type of an event in a form that may be kept without its payload. */
export function plainType(eventType: string): string {
  return NAME.test(eventType) ? eventType : NO_TYPE
}
