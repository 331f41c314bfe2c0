import { randomUUID } from 'node:crypto'
import {
  type Metadata,
  ServerInterceptingCall,
  type ServerInterceptingCallInterface,
  type ServerInterceptor,
  type StatusObject,
} from '@grpc/grpc-js'
import { expired } from '../auth/claims.ts'
import { createLifetime } from '../auth/live/gate.ts'
import type { Principal } from '../auth/principal.ts'
import { fail } from '../errors.ts'
import type { Cancel, Timers } from '../runtime/async.ts'
import type { AnonymousClients } from '../runtime/limits.ts'
import type { Clock } from '../runtime/time.ts'
import { callerTraceIdIn, correlatedRuns } from '../runtime/trace.ts'
import type { Trail } from '../trail/trail.ts'
import { authenticate, authorize, type CredentialChecks, confirmCaller, recordedActionOf } from './access.ts'
import { isAdmitted } from './anonymous-call.ts'
import { deedOf, keepCall, whenSettled } from './call.ts'
import type { CallStream } from './connections.ts'
import { type Refuse, statusOf } from './status.ts'

interface GuardParts extends CredentialChecks {
  readonly anonymous: AnonymousClients
  readonly trail: Trail
  /** The connection and stream of the call that is being created. */
  readonly stream: () => CallStream | undefined
  /** How long a stream may live, in milliseconds. */
  readonly streamAge: () => number
  readonly clock: Clock
  readonly timers: Timers
  readonly refuse: Refuse
}

/**
 * Guards every method: no handler runs before its call was authorized, and nothing it sends counts after the call is
 * over.
 */
export interface Guard {
  readonly intercept: ServerInterceptor
  readonly openStreams: number
  /** Ends every open and every later stream as unavailable. */
  endStreams(): void
}

export function createGuard(parts: GuardParts): Guard {
  const shared: Shared = { ...parts, streams: new Set(), isClosing: false }
  return {
    intercept: (method, call) => new GuardedCall(shared, method, call),
    get openStreams() {
      return shared.streams.size
    },
    endStreams() {
      shared.isClosing = true
      for (const stream of shared.streams) stream.end(CLOSING)
    },
  }
}

/** What the calls of a server share. */
interface Shared extends GuardParts {
  readonly streams: Set<GuardedCall>
  isClosing: boolean
}

type Method = Parameters<ServerInterceptor>[0]
type InterceptingServerListener = Parameters<ServerInterceptingCall['start']>[0]

/**
 * One call. It is its own listener, without what the library has for interceptors that change or delay messages: that
 * costs each call more than the check of its token.
 */
class GuardedCall extends ServerInterceptingCall implements InterceptingServerListener {
  readonly #shared: Shared
  readonly #method: Method
  readonly #call: ServerInterceptingCallInterface
  readonly #stream: CallStream | undefined
  #handler: InterceptingServerListener | undefined
  #run: <T>(work: () => T) => T = (work) => work()
  #abort: AbortController | undefined
  readonly #undo: Cancel[] = []
  #isOver = false

  constructor(shared: Shared, method: Method, call: ServerInterceptingCallInterface) {
    super(call)
    this.#shared = shared
    this.#method = method
    this.#call = call
    this.#stream = shared.stream()
  }

  override start(handler: InterceptingServerListener): void {
    this.#handler = handler
    this.#call.start(this)
  }

  onReceiveMetadata(metadata: Metadata): void {
    const [traceparent] = metadata.get('traceparent')
    this.#run = correlatedRuns({ requestId: randomUUID(), callerTraceId: callerTraceIdIn(traceparent?.toString()) })
    this.#run(() =>
      whenSettled(
        () => authenticate(metadata, this.#method.path, this.#shared),
        (principal) => this.#enter(principal, metadata),
        (error) => this.end(this.#shared.refuse(error, this.#method.path)),
      ),
    )
  }

  onReceiveMessage(message: unknown): void {
    if (!this.#isOver) this.#run(() => this.#handler?.onReceiveMessage(message))
  }

  onReceiveHalfClose(): void {
    if (!this.#isOver) this.#run(() => this.#handler?.onReceiveHalfClose())
  }

  onCancel(): void {
    this.#close()
    this.#handler?.onCancel()
  }

  override sendMetadata(metadata: Metadata): void {
    if (!this.#isOver) this.#call.sendMetadata(metadata)
  }

  override sendMessage(message: unknown, callback: () => void): void {
    if (!this.#isOver) this.#call.sendMessage(message, callback)
  }

  override sendStatus(status: StatusObject): void {
    this.end(status)
  }

  end(status: StatusObject): void {
    if (this.#isOver) return
    this.#close()
    this.#call.sendStatus(status)
  }

  #enter(principal: Principal | undefined, metadata: Metadata): void {
    const { requestStream, responseStream } = this.#method
    if (principal) this.#stream?.connection.authenticated()
    this.#authorize(principal, metadata)
    if (this.#isOver) return
    if (!(principal || this.#isAdmitted(metadata))) return
    keepCall(metadata, { principal, from: () => this.#from(metadata), signal: () => this.#signal() })
    if (requestStream || responseStream) this.#follow(principal, metadata)
    if (!this.#isOver) this.#handler?.onReceiveMetadata(metadata)
  }

  /** @throws ServiceError as {@link authorize}; what is recorded of the method is a row by then, or soon after */
  #authorize(principal: Principal | undefined, metadata: Metadata): void {
    const { path } = this.#method
    try {
      authorize(principal, path)
    } catch (error) {
      const action = principal && recordedActionOf(path)
      const { trail } = this.#shared
      if (action) void trail.ended(trail.begin(deedOf(principal, action, this.#from(metadata))), error)
      throw error
    }
  }

  #isAdmitted(metadata: Metadata): boolean {
    if (!this.#stream) return false
    const call = {
      stream: this.#stream,
      forwarded: forwardedIn(metadata),
      isStream: this.#method.responseStream,
      end: (status: StatusObject) => this.end(status),
    }
    return isAdmitted(call, this.#shared)
  }

  #from(metadata: Metadata): string {
    return this.#shared.anonymous.addressOf({ peer: this.#stream?.connection.peer, forwarded: forwardedIn(metadata) })
  }

  /** A stream lasts no longer than the token or the key that opened it, and the account behind the token. */
  #follow(principal: Principal | undefined, metadata: Metadata): void {
    const { clock, isClosing, refuse, streamAge, streams, timers } = this.#shared
    streams.add(this)
    this.#undo.push(timers.after(streamAge(), () => this.end(CLOSING)))
    if (principal) {
      const lifetime = createLifetime({ clock, timers, ended: (why) => this.end(refuse(why, this.#method.path)) })
      this.#undo.push(lifetime.stop)
      const at = principal.tokenExpiresAt
      const confirm = () => confirmCaller(principal, metadata, this.#shared)
      lifetime.follow({ confirm, end: at && { at, reason: (now) => expired(at, now) } })
    }
    if (isClosing) this.end(CLOSING)
  }

  /** Created lazily: an AbortController is expensive and rarely used. */
  #signal(): AbortSignal {
    this.#abort ??= new AbortController()
    if (this.#isOver) this.#abort.abort(OVER)
    return this.#abort.signal
  }

  #close(): void {
    this.#isOver = true
    for (const undo of this.#undo.splice(0)) undo()
    this.#shared.streams.delete(this)
    this.#abort?.abort(OVER)
  }
}

function forwardedIn(metadata: Metadata): string {
  return metadata.get('x-forwarded-for').join(',')
}

/** A shared abort reason: without one, each abort creates an error with its stack. */
const OVER = new Error('the call is over')

const CLOSING = statusOf(fail('UNAVAILABLE'))
