declare const ascii: unique symbol

/** JSON in printable ASCII. */
export type AsciiJson = string & { readonly [ascii]: true }

/** All but printable ASCII. */
const OTHERS = /[^ -~]/g

/**
 * The text of a message for SQS or EventBridge. SQS takes no U+FFFE, U+FFFF or lone surrogate (Amazon SQS API
 * Reference, SendMessage), other services in their place no surrogate pair: an escape is ASCII, and every one takes it.
 */
export function asciiJson(value: object): AsciiJson {
  return inAscii(JSON.stringify(value)) as AsciiJson
}

/** The same text with an escape of JSON for everything outside printable ASCII. */
export function inAscii(text: string): string {
  return text.replaceAll(OTHERS, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/**
 * A service refused a message for good: to send it again is of no use. That is no outage. The message is the reason, at
 * most 256 characters, and nothing of what was sent.
 */
export class MessageRefused extends Error {
  override readonly name = 'MessageRefused'
}

/** The errors of SQS and EventBridge about a message whose text or size they never take, with any way to write them. */
const NEVER_TAKEN = /^(?:InvalidMessageContents|BatchRequestTooLong|MessageTooLong|MalformedDetail|HTTP 413)$/

/** Errors about any argument, which name the size in their message (Amazon SQS API Reference, SendMessage). */
const ANY_ARGUMENT = /^(?:InvalidParameterValue|ValidationException|InvalidArgument)/
const SIZE = /must be shorter|too (?:long|large)|size|exceeds/i

/**
 * Whether an error says that its service never takes this message, in contrast to one that another time or another right
 * may change.
 * @param said the message of the error
 */
export function isNeverTaken(code: string, said: string): boolean {
  return NEVER_TAKEN.test(code) || (ANY_ARGUMENT.test(code) && SIZE.test(said))
}

/** Why a message was refused for good; undefined once it is sent. @throws any other error */
export async function finalRefusal(sending: Promise<void>): Promise<string | undefined> {
  try {
    await sending
    return undefined
  } catch (error) {
    if (error instanceof MessageRefused) return error.message
    throw error
  }
}
