import { Buffer } from 'node:buffer'
import type { AccountStates } from '../auth/account-states.ts'
import { fail, invalid } from '../errors.ts'
import type { Ids } from '../runtime/ids.ts'
import { actsOn } from '../trail/act.ts'
import { isAccountId, storeOf } from '../users/user.ts'

/** A message of the service to clients of the channels. */
export interface ServiceMessage {
  readonly id: string
  /** The destination in the spelling of its subscribers. */
  readonly destination: string
  /** The id of the account whose sessions alone receive it. */
  readonly user?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** Carries messages to every process that has sessions of clients. */
export interface Broadcast {
  /** Settles once the message is on its way. Throws ServiceError `UNAVAILABLE`. */
  publish(message: ServiceMessage): Promise<void>
}

export interface SendParts {
  readonly accounts: Pick<AccountStates, 'findByName'>
  readonly broadcast: Broadcast
  readonly ids: Ids
  /** The limit of a body. */
  readonly maximumBytes: number
}

/** An order to send a message. */
interface Order {
  /** `/topic/public/<name>` or `/user/<user>/queue/<name>`. */
  readonly destination: string
  /** A text, or any other JSON. */
  readonly body: unknown
}

/** The header that no client can set: the message id that its sender received in the answer. */
export const SENT_ID = 'api-message-id'

/**
 * Sends a message to the sessions that are subscribed at that moment; it is not stored.
 * @throws ServiceError `VALIDATION_FAILED` for a body that is too long or no Unicode, `USER_NOT_FOUND`, `UNAVAILABLE`
 */
export async function sendMessage(
  { accounts, broadcast, ids, maximumBytes }: SendParts,
  { destination, body }: Order,
  sender: string,
): Promise<{ readonly messageId: string }> {
  const [type, text] = typeof body === 'string' ? ['text/plain', body] : ['application/json', JSON.stringify(body)]
  const bytes = Buffer.from(text)
  if (!text.isWellFormed()) throw refused('must be Unicode')
  if (bytes.length > maximumBytes) throw refused(`must have at most ${maximumBytes} bytes`)
  const id = ids.unique()
  actsOn({ type: 'message', id, name: destination })
  await broadcast.publish({
    id,
    ...(await topicOf(accounts, destination)),
    headers: { 'content-type': type, sender, [SENT_ID]: id },
    body: bytes,
  })
  return { messageId: id }
}

function refused(message: string) {
  return invalid([{ path: ['body'], message }])
}

async function topicOf(accounts: SendParts['accounts'], destination: string) {
  const [, username, queue] = /^\/user\/([^/]+)(\/queue\/.+)$/.exec(destination) ?? []
  if (username === undefined) return { destination }
  return { destination: `/user${queue}`, user: await accountOf(accounts, username) }
}

/** Only the provider knows its users: the id of such an account must only have the right form. */
async function accountOf(accounts: SendParts['accounts'], username: string): Promise<string> {
  if (storeOf(username) === 'provider' && isAccountId(username)) return username
  const account = await accounts.findByName(username)
  if (!account) throw fail('USER_NOT_FOUND')
  return account.uid
}
