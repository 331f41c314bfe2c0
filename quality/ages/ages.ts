import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { eventIdOf } from '../../localstack/senders/event-id.ts'
import { newMessage } from '../../localstack/senders/message.ts'
import { prove } from '../../localstack/senders/prove.ts'
import { SENDERS } from '../../localstack/senders/table.ts'
import { temporaryFolder } from '../../test/support/stack.ts'
import { ResumingStream } from '../chaos/resuming-stream.ts'
import { startTarget, type Target } from '../load/target.ts'
import { startPythonWatchers, type Watcher } from './python-watchers.ts'

export interface Ages {
  /** `GRPC_CONNECTION_AGE_SECONDS`; the default if it is left out. */
  readonly age?: number
  /** How long events come in. */
  readonly seconds: number
  /** A Python with grpcio. */
  readonly python: string
}

export interface Watched {
  readonly name: string
  /** Events that it was not told of, and those that it was told of more than once. */
  readonly missed: readonly string[]
  readonly twice: readonly string[]
  readonly ends: readonly string[]
}

/** How a stream has to end whose time is over. */
export const WELL = 'UNAVAILABLE, UNAVAILABLE, again after 5 s'

/** On one connection of each client. */
const STREAMS = 3

/** In milliseconds. */
const PAUSE = 250
const PATIENCE = 15_000

/** Has clients that are not ours watch the events of a service of its own, each stream resumed by its cursor when it ends. */
export async function watchAges({
  age,
  seconds,
  python,
}: Ages): Promise<{ sent: number; watched: readonly Watched[] }> {
  const folder = temporaryFolder()
  const target = await startTarget(age === undefined ? {} : { GRPC_CONNECTION_AGE_SECONDS: String(age) })
  const { token } = target
  const { grpc: address } = target.stack.ready
  const streams = Array.from({ length: STREAMS }, () => new ResumingStream(token, address))
  try {
    await Promise.all(streams.map((stream) => stream.connect()))
    const ofPython = await startPythonWatchers({ python, folder: folder.path, address, token, streams: STREAMS })
    const ofNode = streams.map(({ told, ends }, index) => ({ name: `grpc-js ${index + 1}`, told, ends }))
    const watchers: readonly Watcher[] = [...ofNode, ...ofPython.watchers]
    const sent = await sendFor(seconds, target)
    await untilTold(watchers, sent)
    await ofPython.stop()
    return { sent: sent.length, watched: watchers.map((watcher) => watchedBy(watcher, sent)) }
  } finally {
    for (const stream of streams) stream.stop()
    await target.stop()
    folder.remove()
  }
}

/** @returns the ids of the events, each of which changes once: it is processed as it comes in */
async function sendFor(seconds: number, { stack }: Target): Promise<readonly string[]> {
  const { http, webhookSecrets } = stack.ready
  const url = `${http}/webhooks/payment`
  const credentials = { secret: webhookSecrets['payment'] ?? '' }
  const sent: string[] = []
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await setTimeout(PAUSE)) {
    const signedAt = new Date()
    const message = newMessage(SENDERS.payment, 'COMPLETED', { id: randomUUID(), at: signedAt })
    const proven = prove(message, { name: 'payment', sender: SENDERS.payment, credentials, url, signedAt })
    const answer = await fetch(url, { method: 'POST', headers: proven.headers, body: new Uint8Array(proven.body) })
    if (!answer.ok) throw new Error(`a webhook was answered with ${answer.status}: ${await answer.text()}`)
    sent.push(eventIdOf('payment', message))
  }
  return sent
}

async function untilTold(watchers: readonly Watcher[], sent: readonly string[]): Promise<void> {
  const isTold = ({ told }: Watcher) => sent.every((id) => told.has(id))
  for (const end = Date.now() + PATIENCE; !watchers.every(isTold) && Date.now() < end; ) await setTimeout(PAUSE)
}

function watchedBy({ name, told, ends }: Watcher, sent: readonly string[]): Watched {
  const missed = sent.filter((id) => !told.has(id))
  const twice = sent.filter((id) => (told.get(id) ?? 0) > 1)
  return { name, missed, twice, ends: [...ends] }
}
