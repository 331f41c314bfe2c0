import { Metadata, type ServerInterceptingCallInterface, type StatusObject } from '@grpc/grpc-js'
import type { Guard } from '../../../lib/grpc/guard.ts'

/** The values of each field of the metadata. */
export type Fields = Readonly<Record<string, string | readonly string[]>>

/** A call as the server opens it, and what becomes of it. */
export function guardedCall(guard: Guard, path: string, isStream: boolean, fields: Fields) {
  const statuses: StatusObject[] = []
  const messages: unknown[] = []
  const handled: Metadata[] = []
  let cancel = () => {}
  const metadata = new Metadata()
  for (const [name, values] of Object.entries(fields)) for (const value of [values].flat()) metadata.add(name, value)
  const outer: Partial<ServerInterceptingCallInterface> = {
    start(listener) {
      cancel = () => listener.onCancel()
      listener.onReceiveMetadata(metadata)
    },
    sendMetadata: () => {},
    sendMessage: (message) => void messages.push(message),
    sendStatus: (status) => void statuses.push(status as StatusObject),
  }
  const method = { path, requestStream: isStream, responseStream: isStream } as Parameters<Guard['intercept']>[0]
  const call = guard.intercept(method, outer as ServerInterceptingCallInterface)
  call.start({
    onReceiveMetadata: (received: Metadata) => void handled.push(received),
    onReceiveMessage: (_: unknown) => {},
    onReceiveHalfClose: () => {},
    onCancel: () => {},
  })
  return { call, metadata, statuses, messages, handled, cancel: () => cancel() }
}
