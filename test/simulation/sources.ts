import { Buffer } from 'node:buffer'
import { header } from '../../lib/webhooks/find.ts'
import { type BatchItem, type IdentityRule, itemsAt } from '../../lib/webhooks/identity.ts'
import { generic } from '../../lib/webhooks/providers/generic.ts'
import type { EventSource } from '../../lib/webhooks/source.ts'
import { providerSource } from '../../lib/webhooks/sources/catalog.ts'
import { trustStored, type VerifiedBody } from '../../lib/webhooks/verify.ts'
import type { EventSpec } from './event-spec.ts'

/** What a sender calls its event. */
export const ID_HEADER = 'x-id'

const id = header(ID_HEADER)

interface Manners {
  readonly identity: IdentityRule
  /** Set if the sender signs the time of an event's first call, and the same time when it sends it again. */
  readonly signsTime?: true
}

/** How the senders of a world tell their events apart. */
export const SOURCES = {
  rows: { identity: { rule: 'signed-id', id }, signsTime: true },
  'handed-over': { identity: { rule: 'id+body', id, repeats: 'drop' } },
  unsigned: { identity: { rule: 'id+body', id }, signsTime: true },
  timed: { identity: { rule: 'time+body' }, signsTime: true },
  news: { identity: { rule: 'always-new' }, signsTime: true },
  /** Should name its events, and does not: equal content is one event as long as its sender repeats. */
  nameless: { identity: { rule: 'signed-id', id: () => undefined } },
  batches: {
    identity: { rule: 'per-item', items: itemsAt(['elements'], ['id'], ['type']), retryMarks: [['isRepeated']] },
  },
} as const satisfies Record<string, Manners>

export type SourceName = keyof typeof SOURCES

/** How long every sender repeats an event, in seconds. */
export const HORIZON_SECONDS = 3600

export function signsTime(source: SourceName): boolean {
  return 'signsTime' in SOURCES[source]
}

/** Reads the calls of a source as those of a provider whose events are only stored. */
export const READ: ReadonlyMap<string, EventSource['read']> = new Map(
  Object.entries(SOURCES).map(([name, { identity }]) => {
    const parse = (body: Buffer): unknown => JSON.parse(body.toString())
    const retries = { horizonSeconds: HORIZON_SECONDS }
    return [name, providerSource(name, { scheme: generic, parse, retries, identity: [identity] }).read]
  }),
)

/** The body of an event; a batch says in it whether it was sent before. */
export function bodyOf(spec: EventSpec, isRepeated: boolean): VerifiedBody {
  const { content, source } = spec
  const batch = {
    elements: elementsOf(spec).map(({ eventId, eventType: type }) => ({ id: eventId, type })),
    isRepeated,
  }
  return trustStored(Buffer.from(JSON.stringify({ content, ...(source === 'batches' && batch) })))
}

/** The elements of an event, in order. */
export function elementsOf({ content, elements }: EventSpec): readonly BatchItem[] {
  return Array.from({ length: elements }, (_, index) => ({ eventId: `${content}-${index}`, eventType: 'ELEMENT' }))
}
