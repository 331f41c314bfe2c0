import type { Principal } from '../auth/principal.ts'
import { fail, ServiceError, unavailable } from '../errors.ts'
import type { BusMessage } from '../messages/message.ts'
import { SENT_ID } from '../messages/send.ts'
import type { Broker } from './broker.ts'
import { type Command, type Frame, headerOf, malformed, type Version } from './codec/frame.ts'
import { tokenIn } from './connect.ts'
import { RENEWAL, topicOf } from './destinations.ts'
import { type Budget, sizeOf } from './limits.ts'
import type { ReceiptHeaders, Subscriptions } from './subscriptions.ts'

/** Further headers of a RECEIPT, if there are any; a promise settles when the work is done. */
type Executed = void | ReceiptHeaders | Promise<void> | Promise<ReceiptHeaders>

/** The parts of a session once it is connected. */
export interface Peer {
  readonly owner: Principal
  readonly version: Version
  readonly broker: Pick<Broker, 'publish'>
  readonly subscriptions: Subscriptions
  readonly transactions: Transactions
  /** Takes a new token. Rejects with ProtocolError, ServiceError. */
  renew(token: string): Promise<void>
}

type Handler = (peer: Peer, frame: Frame) => Executed

const HANDLERS: Readonly<Partial<Record<Command, Handler>>> = {
  SEND: (peer, frame) => {
    const topic = topicOf(headerOf(frame, 'destination'), 'SEND', peer.owner)
    if (topic.destination === RENEWAL) return peer.renew(tokenIn(frame))
    const headers = { ...passedOn(frame), sender: peer.owner.username }
    return inTransaction(peer, frame, { message: { ...topic, headers, body: frame.body } })
  },
  SUBSCRIBE: ({ subscriptions }, frame) => subscriptions.add(frame),
  UNSUBSCRIBE: ({ subscriptions }, frame) => subscriptions.remove(frame),
  ACK: (peer, frame) => inTransaction(peer, frame, { answer: peer.subscriptions.answer(frame) }),
  NACK: (peer, frame) => inTransaction(peer, frame, { answer: peer.subscriptions.answer(frame) }),
  BEGIN: ({ transactions }, frame) => transactions.begin(headerOf(frame, 'transaction')),
  COMMIT: (peer, frame) => take(peer, peer.transactions.end(headerOf(frame, 'transaction'))),
  ABORT: ({ transactions }, frame) => {
    transactions.end(headerOf(frame, 'transaction'))
  },
}

/** Executes a frame of a connected client. @throws ProtocolError, ServiceError */
export function execute(peer: Peer, frame: Frame): Executed {
  const handler = HANDLERS[frame.command]
  if (!handler) throw malformed(`${frame.command} is not for a client that is connected`)
  return handler(peer, frame)
}

function inTransaction(peer: Peer, frame: Frame, step: Step): void | Promise<void> {
  const id = frame.headers.get('transaction')
  return id === undefined ? take(peer, [step]) : peer.transactions.add(id, step, sizeOf(frame))
}

/** Acknowledgments take effect once the messages are published: a COMMIT does all of it or nothing. */
function take({ broker }: Peer, steps: readonly Step[]): void | Promise<void> {
  const messages = steps.flatMap((step) => ('message' in step ? [step.message] : []))
  const answers = steps.flatMap((step) => ('answer' in step ? [step.answer] : []))
  const answer = () => {
    for (const each of answers) each()
  }
  if (messages.length === 0) return answer()
  return broker.publish(messages).then(answer, (cause: unknown) => {
    throw cause instanceof ServiceError ? cause : unavailable(cause)
  })
}

/** What a frame does once its transaction is committed: it sends a message, or answers one. */
export type Step = { readonly message: BusMessage } | { readonly answer: () => void }

interface Kept {
  readonly step: Step
  readonly bytes: number
}

interface Limits {
  readonly openTransactions: number
  readonly transactionFrames: number
}

/** The open transactions of one session. */
export class Transactions {
  readonly #limits: Limits
  readonly #budget: Budget
  readonly #open = new Map<string, Kept[]>()
  #frames = 0

  constructor(limits: Limits, budget: Budget) {
    this.#limits = limits
    this.#budget = budget
  }

  /** @throws ProtocolError for one that is open, or one too many */
  begin(id: string): void {
    if (this.#open.has(id)) throw malformed('BEGIN must name a new transaction')
    if (this.#open.size >= this.#limits.openTransactions) throw malformed('too many transactions are open')
    this.#open.set(id, [])
  }

  /** @throws ProtocolError, ServiceError `PAYLOAD_TOO_LARGE` */
  add(id: string, step: Step, bytes: number): void {
    const steps = this.#find(id)
    if (this.#frames >= this.#limits.transactionFrames) throw malformed('too many frames are in transactions')
    if (!this.#budget.take(bytes)) throw fail('PAYLOAD_TOO_LARGE')
    this.#frames += 1
    steps.push({ step, bytes })
  }

  /** @returns what was in it, in order @throws ProtocolError for one that is not open */
  end(id: string): readonly Step[] {
    const steps = this.#find(id)
    this.#open.delete(id)
    this.#frames -= steps.length
    for (const { bytes } of steps) this.#budget.give(bytes)
    return steps.map(({ step }) => step)
  }

  #find(id: string): Kept[] {
    const steps = this.#open.get(id)
    if (!steps) throw malformed('the transaction is not open')
    return steps
  }
}

/** Headers of a SEND that mean something to the protocol, or that only the server may set. */
const RESERVED: readonly string[] = [
  'ack',
  SENT_ID,
  'authorization',
  'content-length',
  'destination',
  'heart-beat',
  'login',
  'message-id',
  'passcode',
  'receipt',
  'receipt-id',
  'redelivered',
  'sender',
  'server',
  'session',
  'subscription',
  'transaction',
  'user-name',
  'version',
  'x-api-key',
]

const PLAIN_NAME = /^[\w.-]{1,64}$/

/** What the receivers of a message see of its sender's headers. */
export function passedOn({ headers }: Frame): Readonly<Record<string, string>> {
  const passed = Array.from(headers).filter(([name]) => PLAIN_NAME.test(name) && !RESERVED.includes(name.toLowerCase()))
  return Object.fromEntries(passed)
}
