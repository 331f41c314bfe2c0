import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { Ids } from '../runtime/ids.ts'
import type { Clock } from '../runtime/time.ts'
import { plainType } from '../webhooks/audit.ts'
import type { EventReader } from '../webhooks/detail.ts'
import type { EventKey, WebhookEvent } from '../webhooks/event.ts'
import type { LastCallStore } from '../webhooks/last-calls.ts'
import type { Announcement } from '../webhooks/live/announcement.ts'
import { isSilent } from '../webhooks/operators/sources.ts'
import type { NewRow } from '../webhooks/place.ts'
import { GATEHOUSE } from '../webhooks/source.ts'
import type { Health } from './breaker.ts'
import type { Destination } from './destination.ts'
import { rowsFor } from './match.ts'

/** What the service says of itself: nothing of a payload, a header or a secret. */
export interface News {
  readonly type: `destination.${'opened' | 'recovered' | 'disabled'}` | Tally['type'] | 'source.silent'
  /** One of the two is what it is about: the destination, if there is one. */
  readonly destination?: string | undefined
  readonly source?: string | undefined
  /** The last event that it is about. */
  readonly eventId?: string | undefined
  readonly eventType?: string | undefined
  readonly reason: string
  readonly count: number
}

/** An event about events, and its deliveries. */
export interface Told {
  readonly event: WebhookEvent
  readonly deliverTo: readonly NewRow[]
}

/** What ended since the last time that it was told. */
export interface Tally extends Required<Pick<News, 'count'>> {
  readonly type: 'delivery.dead' | 'event.failed'
  /** The destination, or the source. */
  readonly subject: string
  /** When the first of them ended. */
  readonly since: Date
  readonly last: EventKey & { readonly reason: string }
}

/** All throw ServiceError `UNAVAILABLE`. */
export interface NewsStore {
  count(tally: Omit<Tally, 'count'>): Promise<void>
  counted(): Promise<readonly Tally[]>
  /** Stores an event that is new, and ends the count that it tells. False if it is there, or if the count went on. */
  tell(told: Told, counted?: Tally): Promise<boolean>
}

/** Whether a destination asks for news. If none does, none are made. */
export function isNewsAsked(destinations: readonly Pick<Destination, 'from'>[]): boolean {
  return destinations.some(({ from }) => from.has(GATEHOUSE))
}

export interface NewsDeskParts {
  readonly destinations: readonly Destination[]
  readonly clock: Clock
  readonly ids: Ids
  /** Sends the hints of new deliveries. */
  readonly wake: (told: Told) => Promise<unknown>
}

/** Makes events of the source `gatehouse`. */
export type NewsDesk = ReturnType<typeof newsDesk>

export function newsDesk({ destinations, clock, ids, wake }: NewsDeskParts) {
  /** @param since names it apart from others of its type and subject; now if absent */
  function about({ type, ...news }: News, since?: Date | 'ever'): Told {
    const at = clock.now()
    const subject = news.destination ?? news.source
    const payload = Buffer.from(JSON.stringify({ type, at: at.toISOString(), ...news }))
    const event: WebhookEvent = {
      id: ids.ordered(),
      source: GATEHOUSE,
      eventId: `${type}/${subject}/${since === 'ever' ? since : (since ?? at).toISOString()}`,
      eventType: type,
      status: 'PROCESSED',
      receivedAt: at,
      processedAt: at,
      attempts: 0,
      dead: false,
      payload,
      payloadSha256: createHash('sha256').update(payload).digest('hex'),
      proof: { level: 'full', key: GATEHOUSE, signedAt: at, typeSigned: true, idSigned: true },
      summary: `${subject}: ${news.reason}`.slice(0, 80).toWellFormed(),
      headers: { 'content-type': 'application/json' },
      history: [{ at, status: 'PROCESSED', by: 'intake' }],
    }
    return { event, deliverTo: rowsFor(destinations, event) }
  }

  return {
    about,
    wake,
    /** What a change of a destination's health tells; undefined for nothing. */
    ofHealth(present: Health, changed: Health): Told | undefined {
      const { destination, told, by, reason = 'by an operator', lastAnswer } = changed
      if (told === present.told) return undefined
      const type = `destination.${told ? HEALTH_NEWS[told] : 'recovered'}` as const
      const isAnswer = told === 'OPEN' || (told === undefined && by === undefined)
      return about({ type, destination, reason: isAnswer ? (lastAnswer ?? '') : reason, count: 1 })
    },
  }
}

const HEALTH_NEWS = { OPEN: 'opened', DISABLED: 'disabled' } as const

/** Counts what ended, until the scan tells it; never what is itself news. */
export function tallying(store: Pick<NewsStore, 'count'>, clock: Clock) {
  return async (ended: Announcement): Promise<void> => {
    if (ended.kind === 'order' || ended.source === GATEHOUSE) return
    const { source, eventId } = ended
    const [type, subject, reason] =
      ended.kind === 'delivery'
        ? (['delivery.dead', ended.destination, ended.answer] as const)
        : (['event.failed', source, ended.reason] as const)
    await store.count({ type, subject, since: clock.now(), last: { source, eventId, reason } })
  }
}

export interface NewsScanParts {
  readonly store: NewsStore
  readonly desk: NewsDesk
  readonly events: Pick<EventReader, 'head'>
  readonly calls: Pick<LastCallStore, 'all'>
  /** By source: how often an event is expected, where it is. */
  readonly expected: ReadonlyMap<string, string>
  readonly clock: Clock
}

/** Tells what was counted since the last scan, once for each subject, and each silence once. @throws ServiceError `UNAVAILABLE` */
export async function tellNews(parts: NewsScanParts): Promise<void> {
  for (const tally of await parts.store.counted()) await tell(parts, await newsOf(parts, tally), tally)
  for (const silence of await silencesOf(parts)) await tell(parts, silence)
}

async function tell({ store, desk }: NewsScanParts, told: Told, counted?: Tally): Promise<void> {
  if (await store.tell(told, counted)) await desk.wake(told)
}

async function newsOf({ desk, events }: NewsScanParts, { type, subject, since, count, last }: Tally): Promise<Told> {
  const { source, eventId, reason } = last
  const destination = type === 'delivery.dead' ? subject : undefined
  const head = await events.head(last)
  const eventType = head && plainType(head.eventType)
  return desk.about({ type, destination, source, eventId, eventType, reason, count }, since)
}

/** Those without an event so far. */
async function silencesOf({ desk, events, calls, expected, clock }: NewsScanParts): Promise<readonly Told[]> {
  if (expected.size === 0) return []
  const heard = new Map((await calls.all()).map((one) => [one.source, one.lastAcceptedAt]))
  const silent = [...expected].filter(([source, span]) => isSilent(heard.get(source), span, clock.now()))
  const all = silent.map(([source, span]) =>
    desk.about(
      { type: 'source.silent', source, reason: `no event within ${span}`, count: 1 },
      heard.get(source) ?? 'ever',
    ),
  )
  const known = await Promise.all(all.map(({ event }) => events.head(event)))
  return all.filter((_, index) => known[index] === undefined)
}
