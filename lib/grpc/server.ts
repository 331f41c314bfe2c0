import { EventEmitter, on } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { Server, ServerCredentials, type ServerOptions, setLogger } from '@grpc/grpc-js'
import {
  Health,
  type HealthCheckRequest,
  HealthCheckResponse_ServingStatus as State,
} from '../../proto/gen/grpc/health/v1/health_pb.ts'
import { fail } from '../errors.ts'
import type { Timers } from '../runtime/async.ts'
import type { AnonymousClients } from '../runtime/limits.ts'
import type { Log } from '../runtime/log.ts'
import type { Metrics } from '../runtime/metrics.ts'
import type { Clock } from '../runtime/time.ts'
import type { Trail } from '../trail/trail.ts'
import type { CredentialChecks } from './access.ts'
import type { CallContext } from './call.ts'
import { createConnections, watchStreams } from './connections.ts'
import { createGuard } from './guard.ts'
import { reflectionOf } from './reflection.ts'
import { definitionOf, type Handlers, implementationOf, type Served, serve } from './serve.ts'
import { refusals } from './status.ts'

/** A message larger than that is refused, compressed or not. */
const MAXIMUM_MESSAGE_BYTES = 256 * 1024

const OPTIONS: ServerOptions = {
  'grpc.max_receive_message_length': MAXIMUM_MESSAGE_BYTES,
  // Its call statistics are not exposed anywhere.
  'grpc.enable_channelz': 0,
  'grpc.max_concurrent_streams': 200,
  'grpc.keepalive_time_ms': 60_000,
  'grpc.keepalive_timeout_ms': 20_000,
}

/** The time that calls on an expired connection have after the end of its last stream, in milliseconds. */
const LAST_CALLS_MS = 60_000

interface ServerParts extends CredentialChecks {
  readonly services: readonly Served[]
  readonly anonymous: Readonly<Record<'connections' | 'streams' | 'calls', AnonymousClients>>
  /** After about so many milliseconds a connection accepts no further call. */
  readonly connectionAge: number
  /** From 0 up to, not including, 1: spreads the ends of streams. */
  readonly random: () => number
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Log
  readonly metrics: Pick<Metrics, 'count'>
  readonly trail: Trail
}

export interface GrpcServer {
  readonly openStreams: number
  /** @returns the port, which is chosen by the system when 0 is wanted */
  listen(host: string, port: number): Promise<number>
  /** Drains: reports not serving, ends the streams, waits the given milliseconds for calls, and closes. */
  drain(graceMs: number): Promise<void>
}

/** The given services with health and reflection, all behind one guard. */
export function createGrpcServer({ services, check, accounts, keys, anonymous, ...parts }: ServerParts): GrpcServer {
  const { clock, connectionAge, random, timers, log, metrics, trail } = parts
  logLibrary(log)
  const refuse = refusals(log, metrics)
  const connections = createConnections({
    anonymous,
    timers,
    connect: (socket) => injector.injectConnection(socket),
  })
  const callStreams = watchStreams(connections)
  const guard = createGuard({
    check,
    accounts,
    keys,
    anonymous: anonymous.calls,
    trail,
    stream: callStreams.latest,
    streamAge: () => streamAge(connectionAge, random()),
    clock,
    timers,
    refuse,
  })
  const declared = services.map(({ service }) => service)
  const health = createHealth(declared.map(({ typeName }) => typeName))
  const server = new Server({ ...OPTIONS, ...ageOptions(connectionAge), interceptors: [guard.intercept] })
  for (const served of [...services, serve(Health, health.handlers), reflectionOf([...declared, Health])]) {
    server.addService(definitionOf(served.service), implementationOf(served, refuse))
  }

  const injector = server.createConnectionInjector(ServerCredentials.createInsecure())

  return {
    get openStreams() {
      return guard.openStreams
    },
    listen: connections.listen,
    async drain(graceMs) {
      const closed = connections.close()
      health.stop()
      // Health watchers receive the new state before their streams end.
      await setImmediate()
      guard.endStreams()
      // It settles before the last answers are out.
      server.tryShutdown(() => {})
      const cancel = timers.after(graceMs, connections.destroy)
      await closed
      cancel()
      callStreams.stop()
    },
  }
}

/** Callers behind a load balancer find other instances only when they connect again. */
function ageOptions(connectionAge: number): ServerOptions {
  return {
    'grpc.max_connection_age_ms': connectionAge,
    'grpc.max_connection_age_grace_ms': streamAge(connectionAge, 1) + LAST_CALLS_MS,
  }
}

/**
 * Longer than a connection, whose age grpc-js varies by a tenth: a caller who resumes an ended stream connects again.
 */
function streamAge(connectionAge: number, share: number): number {
  return connectionAge * (1.1 + share / 10)
}

/**
 * Has the library write to our log in place of standard error, and no more than what a message begins with: behind the
 * first colon it quotes what callers sent, whole tokens included.
 */
export function logLibrary(log: Log): void {
  const complain = (message: string) => log.warn('the gRPC library complains', { of: message.replace(/:.*/s, '') })
  setLogger({ error: complain, info: complain, debug: complain })
}

/**
 * The state of the server and its services, by https://github.com/grpc/grpc/blob/master/doc/health-checking.md.
 * @param services their names; the empty name stands for the whole server
 */
export function createHealth(services: readonly string[]) {
  const names = ['', ...services]
  const changes = new EventEmitter().setMaxListeners(0)
  let state: State = State.SERVING
  const stateOf = (name: string) => (names.includes(name) ? state : State.SERVICE_UNKNOWN)

  const handlers = {
    check({ service }: HealthCheckRequest) {
      if (names.includes(service)) return { status: state }
      throw fail('SERVICE_NOT_FOUND')
    },
    list: () => ({ statuses: Object.fromEntries(names.map((name) => [name, { status: state }])) }),
    async *watch({ service }: HealthCheckRequest, { signal }: CallContext) {
      const changed = on(changes, 'change', { signal: signal() })
      yield { status: stateOf(service) }
      for await (const _ of changed) yield { status: stateOf(service) }
    },
  } satisfies Handlers<typeof Health>
  return {
    handlers,
    /** Reports every service as not serving from now on. */
    stop(): void {
      state = State.NOT_SERVING
      changes.emit('change')
    },
  }
}
