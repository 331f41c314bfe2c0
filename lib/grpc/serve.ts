import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import {
  create,
  type DescMessage,
  type DescMethod,
  type DescService,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf'
import type {
  handleBidiStreamingCall,
  handleServerStreamingCall,
  handleUnaryCall,
  MethodDefinition,
  ServerDuplexStream,
  ServerWritableStream,
  UntypedServiceImplementation,
} from '@grpc/grpc-js'
import { type CallContext, callOf, whenSettled } from './call.ts'
import type { Refuse } from './status.ts'

type Unary<I, O> = (request: I, call: CallContext) => O | Promise<O>
type ServerStreaming<I, O> = (request: I, call: CallContext) => AsyncIterable<O>
type BidiStreaming<I, O> = (requests: AsyncIterable<I>, call: CallContext) => AsyncIterable<O>

interface Declared<K> {
  readonly methodKind: K
  readonly input: DescMessage
  readonly output: DescMessage
}

type Handler<M> =
  M extends Declared<'unary'>
    ? Unary<MessageShape<M['input']>, MessageInitShape<M['output']>>
    : M extends Declared<'server_streaming'>
      ? ServerStreaming<MessageShape<M['input']>, MessageInitShape<M['output']>>
      : M extends Declared<'bidi_streaming'>
        ? BidiStreaming<MessageShape<M['input']>, MessageInitShape<M['output']>>
        : never

/** A function for each method of a service; a method without one is UNIMPLEMENTED. */
export type Handlers<S extends DescService> = { readonly [K in keyof S['method']]?: Handler<S['method'][K]> }

/** A service with its handlers. */
export interface Served {
  readonly service: DescService
  readonly handlers: Readonly<Record<string, unknown>>
}

/** Checks the types of the handlers against the declaration. */
export function serve<S extends DescService, const H extends Handlers<S>>(service: S, handlers: H & Handlers<S>) {
  return { service, handlers }
}

/** The definition of a service for grpc-js. */
export function definitionOf({ methods }: DescService): Record<string, MethodDefinition<unknown, unknown>> {
  return Object.fromEntries(methods.map((method) => [method.localName, methodOf(method)]))
}

function methodOf({ parent, name, methodKind, input, output }: DescMethod): MethodDefinition<unknown, unknown> {
  return {
    path: `/${parent.typeName}/${name}`,
    requestStream: methodKind === 'client_streaming' || methodKind === 'bidi_streaming',
    responseStream: methodKind === 'server_streaming' || methodKind === 'bidi_streaming',
    requestSerialize: writerOf(input),
    requestDeserialize: (bytes) => fromBinary(input, bytes),
    responseSerialize: writerOf(output),
    responseDeserialize: (bytes) => fromBinary(output, bytes),
  }
}

function writerOf(schema: DescMessage): (message: unknown) => Buffer {
  return (message) => Buffer.from(toBinary(schema, create(schema, message as MessageInitShape<DescMessage>)))
}

/** The handlers as grpc-js calls them. */
export function implementationOf({ service, handlers }: Served, refuse: Refuse): UntypedServiceImplementation {
  const implemented = service.methods.filter(({ localName }) => handlers[localName] !== undefined)
  return Object.fromEntries(
    implemented.map(({ localName, methodKind }) => [localName, ADAPTERS[methodKind](handlers[localName], refuse)]),
  )
}

const ADAPTERS = {
  unary: (handler: unknown, refuse: Refuse) => unary(handler as Unary<unknown, unknown>, refuse),
  server_streaming: (handler: unknown, refuse: Refuse) =>
    serverStreaming(handler as ServerStreaming<unknown, unknown>, refuse),
  bidi_streaming: (handler: unknown, refuse: Refuse) =>
    bidiStreaming(handler as BidiStreaming<unknown, unknown>, refuse),
  client_streaming: () => {
    throw new Error('no service has a method of that kind')
  },
} as const satisfies Record<DescMethod['methodKind'], (handler: unknown, refuse: Refuse) => unknown>

function unary(handler: Unary<unknown, unknown>, refuse: Refuse): handleUnaryCall<unknown, unknown> {
  return (call, callback) => {
    whenSettled(
      () => handler(call.request, callOf(call.metadata)),
      (response) => callback(null, response),
      (error) => callback(refuse(error, call.getPath())),
    )
  }
}

function serverStreaming(
  handler: ServerStreaming<unknown, unknown>,
  refuse: Refuse,
): handleServerStreamingCall<unknown, unknown> {
  return (stream) => void send(stream, (call) => handler(stream.request, call), refuse)
}

function bidiStreaming(
  handler: BidiStreaming<unknown, unknown>,
  refuse: Refuse,
): handleBidiStreamingCall<unknown, unknown> {
  return (stream) => void send(stream, (call) => handler(stream.iterator({ destroyOnReturn: false }), call), refuse)
}

type Writable = ServerWritableStream<unknown, unknown> | ServerDuplexStream<unknown, unknown>

/** Sends as fast as the caller reads. An error after the end of the call is dropped. */
async function send(
  stream: Writable,
  answers: (call: CallContext) => AsyncIterable<unknown>,
  refuse: Refuse,
): Promise<void> {
  const call = callOf(stream.metadata)
  try {
    for await (const message of answers(call)) {
      if (!stream.write(message)) await once(stream, 'drain', { signal: call.signal() })
    }
    stream.end()
  } catch (error) {
    if (!call.signal().aborted) stream.emit('error', refuse(error, stream.getPath()))
  }
}
