import { Buffer } from 'node:buffer'
import {
  create,
  type DescMessage,
  type DescMethodBiDiStreaming,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf'
import {
  type CallOptions,
  Client,
  type ClientReadableStream,
  credentials,
  Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js'
import { richStatusOf } from './grpc-status.ts'
import { served } from './served.ts'

/** How a call ended, with its code by name. */
export interface Ended<M> {
  readonly code: string
  readonly text: string
  readonly messages: readonly M[]
  readonly rich: ReturnType<typeof richStatusOf> | undefined
  readonly trailers: Readonly<Record<string, unknown>>
}

/** Metadata by name; several values of one name as a list. */
export type Fields = Readonly<Record<string, string | Buffer | readonly string[]>>

/** HTTP/2 drops a field that ends with a blank. */
export function bearerField(token: string): Fields {
  return { authorization: `Bearer ${token}`.trimEnd() }
}

let shared: { readonly address: string; readonly client: Client } | undefined

/** A connection of its own where the shared one would not do. */
export function connect(address = served('ready').grpc): Client {
  return new Client(address, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 })
}

/** One for all calls to the same service. */
function client(): Client {
  const address = served('ready').grpc
  if (shared?.address === address) return shared.client
  shared?.client.close()
  shared = { address, client: connect(address) }
  return shared.client
}

function metadataOf(fields: Fields): Metadata {
  const metadata = new Metadata()
  for (const [name, value] of Object.entries(fields)) {
    for (const one of Array.isArray(value) ? value : [value]) metadata.add(name, one)
  }
  return metadata
}

const pathOf = ({ parent, name }: { readonly parent: { readonly typeName: string }; readonly name: string }) =>
  `/${parent.typeName}/${name}`

const writer =
  <I extends DescMessage>(schema: I) =>
  (message: MessageInitShape<I>) =>
    Buffer.from(toBinary(schema, create(schema, message)))

const reader =
  <O extends DescMessage>(schema: O) =>
  (bytes: Buffer) =>
    fromBinary(schema, bytes)

function endedBy<M>(error: ServiceError | null, messages: readonly M[]): Ended<M> {
  const metadata = error?.metadata
  const isRich = metadata !== undefined && metadata.get('grpc-status-details-bin').length > 0
  return {
    code: status[error?.code ?? status.OK] ?? '',
    text: error?.details ?? '',
    messages,
    rich: isRich ? richStatusOf(metadata) : undefined,
    trailers: metadata?.getMap() ?? {},
  }
}

/** One call with one answer. */
export function callUnary<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  request: MessageInitShape<I>,
  fields: Fields = {},
  { over = client(), path = pathOf(method), ...options }: CallOptions & { over?: Client; path?: string } = {},
): Promise<Ended<MessageShape<O>>> {
  const { promise, resolve } = Promise.withResolvers<Ended<MessageShape<O>>>()
  over.makeUnaryRequest(
    path,
    writer(method.input),
    reader(method.output),
    request,
    metadataOf(fields),
    options,
    (error, answer) => resolve(endedBy(error, answer === undefined ? [] : [answer])),
  )
  return promise
}

/** An open stream: what came so far, and how it ends. */
export interface Open<M> {
  readonly messages: readonly M[]
  readonly ended: Promise<Ended<M>>
  cancel(): void
}

function follow<M>(stream: ClientReadableStream<M>): Open<M> {
  const messages: M[] = []
  const { promise, resolve } = Promise.withResolvers<Ended<M>>()
  stream.on('data', (message: M) => messages.push(message))
  stream.on('error', (error: ServiceError) => resolve(endedBy(error, messages)))
  stream.on('end', () => resolve(endedBy<M>(null, messages)))
  return { messages, ended: promise, cancel: () => stream.cancel() }
}

export function openStream<I extends DescMessage, O extends DescMessage>(
  method: DescMethodServerStreaming<I, O>,
  request: MessageInitShape<I>,
  fields: Fields = {},
  over = client(),
  options: CallOptions = {},
): Open<MessageShape<O>> {
  return follow(
    over.makeServerStreamRequest(
      pathOf(method),
      writer(method.input),
      reader(method.output),
      request,
      metadataOf(fields),
      options,
    ),
  )
}

/** A stream in both directions, with a first message on its way. */
export function openDuplex<I extends DescMessage, O extends DescMessage>(
  method: DescMethodBiDiStreaming<I, O>,
  request: MessageInitShape<I>,
  fields: Fields = {},
  over = client(),
): Open<MessageShape<O>> {
  const stream = over.makeBidiStreamRequest(
    pathOf(method),
    writer(method.input),
    reader(method.output),
    metadataOf(fields),
  )
  stream.write(request)
  return follow(stream)
}

/** The headers of a watch of the health, for a client that is Node's own. */
export const HEALTH_WATCH = {
  ':method': 'POST',
  ':path': '/grpc.health.v1.Health/Watch',
  'content-type': 'application/grpc',
  te: 'trailers',
  authorization: 'Bearer any',
}
