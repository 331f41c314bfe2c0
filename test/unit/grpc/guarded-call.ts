import { Metadata, type ServerInterceptingCallInterface, type StatusObject } from '@grpc/grpc-js'
import type { Guard } from '../../../lib/grpc/guard.ts'

/** The values of each field of the metadata. */
export type Fields = Readonly<Record<string, string | readonly string[]>>

/** A call as the server opens it, and what becomes of it. @param heard called whenever its handler is */
export function guardedCall(guard: Guard, path: string, isStream: boolean, fields: Fields, heard = () => {}) {
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
      listener.onReceiveMessage({})
      listener.onReceiveHalfClose()
    },
    sendMetadata: () => {},
    sendMessage: (message) => void messages.push(message),
    sendStatus: (status) => void statuses.push(status as StatusObject),
  }
  const method = { path, requestStream: isStream, responseStream: isStream } as Parameters<Guard['intercept']>[0]
  const call = guard.intercept(method, outer as ServerInterceptingCallInterface)
  call.start({
    onReceiveMetadata(received: Metadata) {
      handled.push(received)
      heard()
    },
    onReceiveMessage: heard,
    onReceiveHalfClose: heard,
    onCancel: () => {},
  })
  return { call, metadata, statuses, messages, handled, cancel: () => cancel() }
}
