import { Buffer } from 'node:buffer'
import type { AccountStates } from '../auth/account-states.ts'
import { fail, invalid } from '../errors.ts'
import type { Ids } from '../runtime/ids.ts'
import { isAccountId, storeOf } from '../users/account-id.ts'

/** A message of the service to clients of the channels. */
export interface ServiceMessage {
  readonly id: string
  /** As its receivers subscribe to it. */
  readonly destination: string
  /** The id of the account whose sessions alone get it. */
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
  /** Of a body. */
  readonly maximumBytes: number
}

/** What somebody wants to be sent. */
interface Order {
  /** `/topic/public/<name>` or `/user/<user>/queue/<name>`. */
  readonly destination: string
  /** A text, or any other JSON. */
  readonly body: unknown
}

/** The header that no client can set: the id that whoever sent the message was told. */
export const SENT_ID = 'api-message-id'

/**
 * Sends a message to whoever is subscribed at that moment; it is kept for nobody.
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

/** Only a provider knows its users: such an account only has to be possible. */
async function accountOf(accounts: SendParts['accounts'], username: string): Promise<string> {
  if (storeOf(username) === 'provider' && isAccountId(username)) return username
  const account = await accounts.findByName(username)
  if (!account) throw fail('USER_NOT_FOUND')
  return account.uid
}
