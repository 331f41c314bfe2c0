import { EventEmitter, on } from 'node:events'
import {
  type Health,
  type HealthCheckRequest,
  HealthCheckResponse_ServingStatus as State,
} from '../../proto/gen/grpc/health/v1/health_pb.ts'
import { fail } from '../errors.ts'
import type { CallContext } from './call.ts'
import type { Handlers } from './serve.ts'

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
