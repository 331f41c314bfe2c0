import { ServiceError, unavailable } from '../../../lib/errors.ts'
import { type Ids, namedIdAt } from '../../../lib/runtime/ids.ts'
import type { Log } from '../../../lib/runtime/log.ts'
import type { Clock } from '../../../lib/runtime/time.ts'
import type { Audit } from '../../../lib/webhooks/audit.ts'
import type { RetryHint } from '../../../lib/webhooks/event.ts'
import { createInbox } from '../../../lib/webhooks/inbox.ts'
import type { EventStore } from '../../../lib/webhooks/place.ts'
import { providerOf } from '../../../lib/webhooks/providers/index.ts'
import type { RetryPolicy } from '../../../lib/webhooks/retry/policy.ts'
import { createRetries, type RetryStore } from '../../../lib/webhooks/retry/worker.ts'
import type { EventSource, VerifiedCall } from '../../../lib/webhooks/source.ts'
import { sourceOf } from '../../../lib/webhooks/sources/catalog.ts'
import { trustStored } from '../../../lib/webhooks/verify.ts'
import type { HintQueue } from '../../../lib/work/hints.ts'
import { bytesOf, newMessage, valuesOf } from '../../senders/message.ts'
import { prove } from '../../senders/prove.ts'
import { type SenderCredentials, signerOf } from '../../senders/signers.ts'
import { SENDERS, withSetting } from '../../senders/table.ts'
import type { DatedStory, Random, StoryStep } from './stories.ts'

interface World {
  readonly events: EventStore
  readonly runs: RetryStore
  readonly policy: RetryPolicy
  readonly audit: Audit
  /** The end of the simulated time: work that is due later is left to others. */
  readonly end: Date
}

interface Entry {
  readonly at: number
  readonly act: () => Promise<unknown>
}

const MINUTE = 60_000

/** How long the queue takes to deliver a message that is due at once, in milliseconds. */
const DELIVERY = 1000

const SILENT: Log = { info() {}, warn() {}, error() {} }

/**
 * Plays a story in its own time: it runs the product's intake and retries on a clock that jumps from one task to the
 * next.
 * @throws ServiceError `UNAVAILABLE`
 */
export async function live(
  { story, ago, random }: DatedStory,
  { events, runs, policy, audit, end }: World,
): Promise<void> {
  const start = end.getTime() - ago * MINUTE
  let now = start
  const clock: Clock = { now: () => new Date(now) }
  const agenda: Entry[] = []
  const queue: HintQueue<RetryHint> = {
    async send(hint, delayMs) {
      agenda.push({ at: now + Math.max(delayMs, DELIVERY), act: () => retries.attempt(hint) })
    },
  }
  const faultyUntil = start + (story.faultyFor ?? 0) * MINUTE
  const source = (name: string) => faulty(sourceOf(name), () => now < faultyUntil)
  const common = { queue, policy, clock, ids: namedIds(clock, random), audit, log: SILENT }
  // What is seeded again says other times under the same ids, which is no conflict.
  const inbox = createInbox({ ...common, events: { ...events, noteConflict: async () => {} } })
  const retries = createRetries({ ...common, store: story.isCutOff ? cutOff(runs) : runs, sourceOf: source })

  for (const [index, step] of story.steps.entries()) {
    const at = start + step.after * MINUTE
    const delivery = deliveryOf(step, { id: random.uuid(`event ${index}`), at: new Date(at) })
    agenda.push({ at, act: () => inbox.accept(source(step.name), delivery) })
  }
  for (;;) {
    const next = agenda.sort((one, other) => one.at - other.at).shift()
    if (next === undefined || next.at > end.getTime()) return
    now = next.at
    await next.act().catch((error) => bear(error, story.isCutOff ?? false))
  }
}

/** Ignores expected errors: the intake stores a failure of the handler, and a killed process is silent on purpose. */
function bear(error: unknown, isCutOff: boolean): void {
  const isMeant =
    error instanceof ServiceError && (error.is('PROCESSING_FAILED') || (isCutOff && error.is('UNAVAILABLE')))
  if (!isMeant) throw error
}

function namedIds(clock: Clock, random: Random): Ids {
  let count = 0
  const next = () => random.uuid(`id ${count++}`)
  return { ordered: () => namedIdAt(clock.now().getTime(), next()), unique: next }
}

function deliveryOf(
  { name, event, says = {} }: StoryStep,
  occasion: { readonly id: string; readonly at: Date },
): VerifiedCall {
  const sender = SENDERS[name]
  const message = newMessage(sender, event, occasion)
  const settings = Object.entries(says).map(([path, value]) => ({ path: path.split('.'), value }))
  const values = settings.reduce<unknown>(withSetting, valuesOf(sender, message.body))
  const kept = ['content-type', ...(sourceOf(name).keptHeaders ?? [])]
  const call = prove(
    { ...message, body: bytesOf(sender, values) },
    { name, sender, credentials: credentialsOf(name), url: `http://localhost/webhooks/${name}`, signedAt: occasion.at },
  )
  const headers = Object.entries(call.headers).filter(([header]) => kept.includes(header))
  return { body: trustStored(call.body), headers: Object.fromEntries(headers), proven: call.proven }
}

/** Nobody checks these signatures again: the senders of the past have secrets of their own. */
const credentials = new Map<string, SenderCredentials>()

function credentialsOf(name: string): SenderCredentials {
  const made = credentials.get(name) ?? signerOf(providerOf(name).scheme.methods[0]).make()
  credentials.set(name, made)
  return made
}

/** A source whose handler throws while it is faulty. */
function faulty(source: EventSource, isFaulty: () => boolean): EventSource {
  return {
    ...source,
    read(delivery) {
      const { plan, ...reading } = source.read(delivery)
      return {
        ...reading,
        plan() {
          if (isFaulty()) throw new Error('a faulty version is deployed')
          return plan()
        },
      }
    },
  }
}

/** A store in which runs begin but never end. */
function cutOff(runs: RetryStore): RetryStore {
  const silence = () => Promise.reject(unavailable(new Error('the process was killed')))
  return { ...runs, finish: silence, fail: silence, release: silence }
}
