import { Buffer } from 'node:buffer'
import { expired } from '../auth/claims.ts'
import { createLifetime, type Entered, type Lifetime, type LiveCredentials, type LiveGate } from '../auth/live/gate.ts'
import type { Principal } from '../auth/principal.ts'
import { fail, unavailable } from '../errors.ts'
import type { Cancel, Timers } from '../runtime/async.ts'
import type { Ids } from '../runtime/ids.ts'
import { type Admission, noteRefusal, SlowClient } from '../runtime/limits.ts'
import type { Log } from '../runtime/log.ts'
import type { Metrics } from '../runtime/metrics.ts'
import type { Clock } from '../runtime/time.ts'
import type { Watch } from '../webhooks/live/watch.ts'
import { type Broker, createFlow, drained, type Flow, type Transport } from './broker.ts'
import { encode, type Frame, frame, malformed, ProtocolError } from './codec/frame.ts'
import { FRAME_LIMITS, Gathered, Parser } from './codec/parser.ts'
import { execute, type Peer, Transactions } from './commands.ts'
import { connectedFrame, createNotices, readConnect, renewed, type SessionNotices } from './connect.ts'
import { type HeartBeat, HeartBeats } from './heart-beat.ts'
import { createBudget, frameRate, type SessionLimits } from './limits.ts'
import { CLOSE, refusalOf } from './refusal.ts'
import { type ReceiptHeaders, Subscriptions } from './subscriptions.ts'

/** The parts that the sessions of a process share. */
export interface StompSessionParts {
  readonly gate: LiveGate
  readonly broker: Broker
  readonly watch: Watch
  /** The cursor of a watcher that has received everything. */
  readonly position: () => string | Promise<string>
  readonly admission: Admission
  readonly clock: Clock
  /** A monotonic clock, for durations. */
  readonly steady: Clock
  readonly timers: Timers
  readonly ids: Ids
  readonly log: Log
  readonly metrics: Pick<Metrics, 'count'>
  readonly limits: SessionLimits
}

const BEAT = Buffer.from('\n')

/** Commands that acknowledge a message. */
const ANSWERS: readonly string[] = ['ACK', 'NACK']

/** The conversation with one client: the first frame must be CONNECT with good credentials, and one mistake ends it. */
export class StompSession {
  readonly #parts: StompSessionParts
  readonly #transport: Transport
  readonly #parser: Parser
  readonly #connected: () => void
  readonly #early = new Gathered()
  readonly #undo: Cancel[] = []
  readonly #running = new Set<Promise<void>>()
  readonly #takeFrame: () => void
  readonly #flow: Flow
  readonly #notices: SessionNotices
  readonly #lifetime: Lifetime
  #forgetEnd: Cancel = () => {}
  /** Input is read while `opening` or `connected`, kept while `verifying`, and otherwise ignored. */
  #state: 'opening' | 'verifying' | 'connected' | 'leaving' | 'over' = 'opening'
  #peer: Peer | undefined
  #earlyBytes = 0
  #beats: HeartBeats | undefined

  /** @param connected called when the client has authenticated */
  constructor(parts: StompSessionParts, transport: Transport, connected: () => void) {
    this.#parts = parts
    this.#transport = transport
    this.#connected = connected
    this.#parser = new Parser({ ...FRAME_LIMITS, bodyBytes: parts.limits.bodyBytes })
    this.#takeFrame = frameRate(parts.limits, parts.steady)
    this.#flow = createFlow(parts.broker, transport, () => this.#beats?.received())
    this.#notices = createNotices(parts.clock, parts.timers)
    this.#lifetime = createLifetime({ ...parts, ended: (reason) => this.#refuse(reason) })
    this.#undo.push(parts.timers.after(parts.limits.connectTimeout, () => this.#connectTimedOut()))
  }

  /** Takes received bytes, in pieces of any size. */
  receive(bytes: Uint8Array): void {
    if (this.#state === 'over') return
    this.#beats?.received()
    this.#guard(undefined, () => {
      if (!this.#peer) this.#countEarly(bytes)
      if (this.#state === 'verifying') this.#early.add(bytes, this.#parts.limits.earlyBytes, tooEarly)
      else this.#read(bytes)
    })
  }

  /** More bytes arrived before CONNECTED than allowed: the client is refused. */
  overflow(): void {
    this.#refuse(tooEarly())
  }

  /** Frees what the server holds for a client; the transport calls it when it is closed. */
  closed(): void {
    this.#state = 'over'
    for (const undo of this.#undo.splice(0)) undo()
  }

  /** Asks the client to reconnect to another instance. */
  drain(): void {
    this.#leave(CLOSE.goingAway, 'going away')
  }

  #countEarly(bytes: Uint8Array): void {
    this.#earlyBytes += bytes.length
    if (this.#earlyBytes > this.#parts.limits.earlyBytes) throw tooEarly()
  }

  #read(bytes: Uint8Array): void {
    this.#parser.push(bytes)
    while (this.#state === 'opening' || this.#state === 'connected') {
      const next = this.#parser.next()
      if (!next) return
      this.#guard(next, () => this.#take(next))
    }
  }

  #take(request: Frame): void {
    if (!this.#peer) this.#connect(request)
    else if (request.command === 'DISCONNECT') this.#disconnect(request)
    else this.#execute(this.#peer, request)
  }

  #execute(peer: Peer, request: Frame): void {
    const { tokenExpiresAt: expiresAt } = peer.owner
    if (expiresAt && this.#now() >= expiresAt) throw expired(expiresAt, this.#now())
    if (!ANSWERS.includes(request.command)) this.#takeFrame()
    const running = execute(peer, request)
    if (running instanceof Promise) this.#follow(request, running)
    else this.#receipt(request, running ?? {})
  }

  #connect(request: Frame): void {
    const { version, heartBeat, credentials } = readConnect(request, this.#parts.limits.heartBeat)
    this.#parser.version = version
    this.#state = 'verifying'
    this.#run(this.#enter(credentials, request, heartBeat), request)
  }

  async #enter(credentials: LiveCredentials, request: Frame, heartBeat: HeartBeat): Promise<void> {
    const entered = await this.#parts.gate(credentials)
    if (this.#state === 'verifying') this.#guard(request, () => this.#open(entered, heartBeat))
  }

  #open(entered: Entered, heartBeat: HeartBeat): void {
    const { owner } = entered
    const { admission, ids, limits, steady, timers } = this.#parts
    for (const undo of this.#undo.splice(0)) undo()
    this.#undo.push(admission.enter(owner.uid ?? owner.username))
    this.#connected()
    this.#peer = this.#peerOf(owner)
    const { subscriptions } = this.#peer
    this.#undo.push(() => subscriptions.close())
    this.#liveBy(entered)
    this.#undo.push(this.#lifetime.stop, () => this.#forgetEnd())
    this.#state = 'connected'
    const beats = new HeartBeats({
      beat: heartBeat,
      clock: steady,
      timers,
      send: () => this.#write(BEAT),
      // While nothing is read from the client, its heart-beats do not arrive.
      lost: () => this.#flow.isPaused || this.#refuse(malformed('heart-beats must come as agreed')),
    })
    this.#beats = beats
    this.#undo.push(() => beats.stop())
    const { version } = this.#parser
    this.#send(
      connectedFrame({ version, ownHeartBeat: limits.heartBeat, session: ids.unique(), username: owner.username }),
    )
    this.#read(this.#early.take())
  }

  /** Takes a new token in place of the one with which the session would end. */
  async #renew(token: string): Promise<void> {
    const fresh = await this.#parts.gate({ token })
    const peer = this.#peer
    if (this.#state !== 'connected' || !peer) return
    const owner = renewed(peer.owner, fresh.owner)
    if (owner === peer.owner) return
    this.#peer = { ...peer, owner }
    this.#liveBy(fresh)
  }

  /**
   * The session ends with the credentials of its start or last renewal; before a token ends, the client is notified.
   */
  #liveBy(entered: Entered): void {
    const { tokenExpiresAt } = entered.owner
    this.#lifetime.follow(entered)
    this.#forgetEnd()
    if (tokenExpiresAt) this.#forgetEnd = this.#notices.expectEnd(tokenExpiresAt)
  }

  #peerOf(owner: Principal): Peer {
    const { broker, limits, metrics, position, timers, watch } = this.#parts
    const { version } = this.#parser
    const budget = createBudget(limits.keptBytes)
    const subscriptions = new Subscriptions({
      owner,
      version,
      broker,
      watch,
      position,
      notices: this.#notices,
      budget,
      limits,
      send: (bytes) => {
        if (this.#write(bytes)) metrics.count('MessagesDelivered')
      },
      drained: (signal) => drained(this.#transport, timers, signal),
      failed: (error) => this.#refuse(error),
    })
    const transactions = new Transactions(limits, budget)
    const renew = (token: string) => this.#renew(token)
    return { owner, version, broker: this.#flow, subscriptions, transactions, renew }
  }

  /** The receipt follows after all earlier frames have taken effect. */
  #disconnect(request: Frame): void {
    this.#state = 'leaving'
    const before = Promise.all(this.#running)
    this.#run(
      before.then(() => {
        this.#receipt(request)
        this.#leave(CLOSE.normal, 'bye')
      }),
      request,
    )
  }

  #follow(request: Frame, running: Promise<void> | Promise<ReceiptHeaders>): void {
    const settled = async () => this.#receipt(request, (await running) ?? {})
    this.#run(settled(), request)
  }

  #run(work: Promise<void>, request: Frame): void {
    const running = work
      .catch((error: unknown) => this.#refuse(error, request))
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  #receipt({ headers }: Frame, more: ReceiptHeaders = {}): void {
    const receipt = headers.get('receipt')
    if (receipt !== undefined) this.#send(frame('RECEIPT', { 'receipt-id': receipt, ...more }))
  }

  #send(message: Frame): void {
    this.#write(encode(message, this.#parser.version))
  }

  /** @returns whether it was sent */
  #write(bytes: Uint8Array): boolean {
    if (this.#state === 'over') return false
    if (this.#transport.buffered() > this.#parts.limits.bufferedBytes) {
      this.#refuse(unavailable(new SlowClient('the client reads too slowly')))
      return false
    }
    this.#transport.send(bytes)
    this.#beats?.sent()
    return true
  }

  #guard(request: Frame | undefined, action: () => void): void {
    try {
      action()
    } catch (error) {
      this.#refuse(error, request)
    }
  }

  #connectTimedOut(): void {
    this.#refuse(fail('AUTHENTICATION_REQUIRED'))
  }

  #refuse(thrown: unknown, request?: Frame): void {
    if (this.#state === 'over') return
    const refusal = refusalOf(thrown, { now: this.#now(), receipt: request?.headers.get('receipt') })
    noteRefusal(this.#parts, 'stomp', 'stomp refused', refusal.error, { command: request?.command })
    this.#transport.send(encode(refusal.frame, this.#parser.version))
    this.#leave(refusal.closeCode, refusal.reason)
  }

  #leave(closeCode: number, reason: string): void {
    if (this.#state === 'over') return
    this.closed()
    this.#transport.close(closeCode, reason)
  }

  #now(): Date {
    return this.#parts.clock.now()
  }
}

function tooEarly(): ProtocolError {
  return new ProtocolError('body-too-large', 'too much came before CONNECTED')
}
