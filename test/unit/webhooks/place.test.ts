import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { ProofLevel, WebhookEvent } from '../../../lib/webhooks/event.ts'
import type { EventIdentity } from '../../../lib/webhooks/identity.ts'
import { type EventStore, keyOf, placeEvent } from '../../../lib/webhooks/place.ts'
import { START } from '../../support/fakes/clock.ts'
import { MemoryStore } from '../../support/fakes/memory-store.ts'
import { failedEvent } from '../../support/fakes/webhooks.ts'

const HOUR = 3_600_000
/** In hours. */
const DAY = 24
const RETENTION = { daysOf: () => 90, dedupeDays: 400 }
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

type Call = Partial<
  Pick<EventIdentity, 'rule' | 'eventId' | 'eventType' | 'typeSigned' | 'repeats' | 'hasSibling' | 'horizonSeconds'>
> & {
  readonly content?: string
  /** Hours after the first. */
  readonly at?: number
  /** Hours after the first, as it is signed. */
  readonly signedAt?: number
  readonly stale?: true
  readonly isOfAnyAge?: true
  readonly level?: ProofLevel
}

/** Calls that come one after the other: what became of each. */
async function placed(calls: readonly Call[], store = new MemoryStore()) {
  const outcomes: string[] = []
  for (const [index, call] of calls.entries()) outcomes.push(await place(store.eventStore, call, index + 1))
  return outcomes
}

function identityOf({ rule = 'signed-id', typeSigned = true, ...call }: Call): EventIdentity {
  const { eventId, repeats, eventType = 'TEST', hasSibling, horizonSeconds = 24 * 3600 } = call
  const idSigned = rule !== 'id+body' && rule !== 'always-new'
  return { rule, eventId, repeats, eventType, typeSigned, idSigned, hasSibling, horizonSeconds }
}

async function place(events: EventStore, call: Call, id: number): Promise<string> {
  const { content = 'x', at = 0, signedAt, stale, isOfAnyAge, level = 'full' } = call
  const identity = identityOf(call)
  const { eventType, typeSigned, idSigned } = identity
  const event: WebhookEvent = failedEvent({
    id: BigInt(id),
    receivedAt: new Date(START.getTime() + at * HOUR),
    payloadSha256: sha256(content),
    eventType,
    proof: {
      level,
      typeSigned,
      idSigned,
      signedAt: signedAt === undefined ? undefined : new Date(START.getTime() + signedAt * HOUR),
      ...(stale && { stale }),
    },
  })
  const arrival = { event: { ...event, eventId: keyOf(event, identity) }, identity, isOfAnyAge }
  const result = await placeEvent(events, arrival, {})
  if (result.kind === 'blocked') throw new Error('nothing blocks a write without an effect')
  if (result.kind === 'duplicate') return `duplicate of ${result.of}${result.conflict ? ', conflict' : ''}`
  const { eventId: key, possibleDuplicateOf, typeConflict, held, idConflict } = result.event
  const marks = `${typeConflict ? ', type conflict' : ''}${held ? ', held' : ''}`
  return `${key}${possibleDuplicateOf ? ` like ${possibleDuplicateOf}` : ''}${marks}${idConflict ? ', conflict' : ''}`
}

const MINUTES = 1 / 60
/** Of a sender that signs neither type nor id. */
const HOLD: Call = {
  rule: 'id+body',
  repeats: 'hold',
  typeSigned: false,
  hasSibling: (type) => type.startsWith('order.'),
}

const hashed = (text: string) => `h:${sha256(text).slice(0, 32)}`
const timed = (hours: number, content = 'x') => hashed(`${START.getTime() + hours * HOUR}\n${sha256(content)}`)

describe('an event is a duplicate, a new one, or marked:', () => {
  it.each<[string, readonly Call[], readonly string[]]>([
    [
      'signed-id: the same id is the same event, whatever its content',
      [{ eventId: 'a' }, { eventId: 'a', at: 9000 }, { eventId: 'a', content: 'y' }, { eventId: 'b' }],
      ['a', 'duplicate of a', 'duplicate of a, conflict', 'b'],
    ],
    [
      'time+body: the same time and content; equal content at another time is marked for as long as its sender repeats',
      [
        { rule: 'time+body', signedAt: 0 },
        { rule: 'time+body', signedAt: 0, at: 1 },
        { rule: 'time+body', signedAt: 24, at: 24 },
        { rule: 'time+body', signedAt: 49, at: 49 },
      ],
      [timed(0), `duplicate of ${timed(0)}`, `${timed(24)} like ${timed(0)}`, timed(49)],
    ],
    [
      'id+body: the same id and content; anything else is stored and marked, at any time',
      [
        { rule: 'id+body', eventId: 'a' },
        { rule: 'id+body', eventId: 'a', at: 9000 },
        { rule: 'id+body', eventId: 'b', at: 9000 },
        { rule: 'id+body', eventId: 'a', content: 'y' },
        { rule: 'id+body', eventId: 'a', content: 'y' },
        { rule: 'id+body', eventId: 'c' },
      ],
      [
        'a',
        'duplicate of a',
        'b like a',
        `a~${sha256('y').slice(0, 16)}, conflict`,
        `duplicate of a~${sha256('y').slice(0, 16)}`,
        'c like b',
      ],
    ],
    [
      'id+body of a sender whose contents are unique: known content is recognized under any id',
      [
        { rule: 'id+body', repeats: 'drop', eventId: 'a' },
        { rule: 'id+body', repeats: 'drop', eventId: 'b', at: 9000 },
        { rule: 'id+body', repeats: 'drop', eventId: 'a', content: 'y' },
        { rule: 'id+body', repeats: 'drop', eventId: 'c', content: 'y' },
      ],
      ['a', 'duplicate of a', `a~${sha256('y').slice(0, 16)}, conflict`, `duplicate of a~${sha256('y').slice(0, 16)}`],
    ],
    [
      'window: equal content is the same event as long as its sender repeats, then the next one',
      [
        { rule: 'window' },
        { rule: 'window', at: 24 },
        { rule: 'window', at: 25 },
        { rule: 'window', at: 49 },
        { rule: 'window', at: 50 },
        { rule: 'window', content: 'y' },
      ],
      [hashed('x'), `duplicate of ${hashed('x')}`, 'n:3', 'duplicate of n:3', 'n:5', hashed('y')],
    ],
    [
      'always-new: never a duplicate, marked for as long as its sender repeats',
      [{ rule: 'always-new' }, { rule: 'always-new', at: 24 }, { rule: 'always-new', at: 49 }],
      ['n:1', 'n:2 like n:1', 'n:3'],
    ],
    [
      'per-item: the same content, however late',
      [{ rule: 'per-item' }, { rule: 'per-item', at: 9000, signedAt: 9000 }, { rule: 'per-item', content: 'y' }],
      [hashed('x'), `duplicate of ${hashed('x')}`, hashed('y')],
    ],
    [
      'id+body that is held: the same content under another id waits for an operator, and looks like the last that acted',
      [
        { ...HOLD, eventId: 'a' },
        { ...HOLD, eventId: 'b' },
        { ...HOLD, eventId: 'b' },
        { ...HOLD, eventId: 'c', at: 9000 },
        { rule: 'always-new', repeats: 'hold', typeSigned: false },
        { ...HOLD, eventId: 'a', content: 'y' },
      ],
      [
        'a',
        'b like a, held',
        'duplicate of b',
        'c like a, held',
        'n:5 like a, held',
        `a~${sha256('y').slice(0, 16)}, conflict`,
      ],
    ],
    [
      'the same content under another type: once each for types of its resource, within ten minutes of the first',
      [
        { ...HOLD, eventId: 'a', eventType: 'order.created' },
        { ...HOLD, eventId: 'b', eventType: 'order.updated', at: 9 * MINUTES },
        { ...HOLD, eventId: 'c', eventType: 'order.updated', at: 9 * MINUTES },
        { ...HOLD, eventId: 'd', eventType: 'refund.created', at: 9 * MINUTES, hasSibling: undefined },
        { ...HOLD, eventId: 'e', eventType: 'order.paid', at: 10 * MINUTES },
        { ...HOLD, eventId: 'f', eventType: 'order.closed', at: 10.1 * MINUTES },
      ],
      [
        'a',
        'b like a, type conflict',
        'c like b, held',
        'd like b, type conflict, held',
        'e like b, type conflict',
        'f like e, type conflict, held',
      ],
    ],
    [
      'the same content under another type is held, though two events of one type may be equal, and though few names are made up',
      [
        { ...HOLD, repeats: 'deliver', eventId: 'a', eventType: 'push', hasSibling: undefined },
        { ...HOLD, repeats: 'deliver', eventId: 'b', eventType: 'push', hasSibling: undefined },
        { ...HOLD, repeats: 'deliver', eventId: 'c', eventType: 'release', hasSibling: undefined },
        ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => ({
          ...HOLD,
          content: 'y',
          eventId: `y${n}`,
          eventType: `order.${n}`,
        })),
      ],
      [
        'a',
        'b like a',
        'c like b, type conflict, held',
        'y1',
        ...[2, 3, 4, 5, 6, 7, 8].map((n) => `y${n} like y${n - 1}, type conflict`),
        'y9 like y8, type conflict, held',
      ],
    ],
    [
      'a call that is too old is accepted once: when its content is known, it is a duplicate under any time or id',
      [
        { rule: 'time+body', signedAt: 0, at: 2, stale: true },
        { rule: 'time+body', signedAt: 1, at: 3, stale: true },
        { rule: 'id+body', eventId: 'a', content: 'y' },
        { rule: 'id+body', eventId: 'b', content: 'y', stale: true },
      ],
      [timed(0), `duplicate of ${timed(0)}`, 'a', 'duplicate of a'],
    ],
  ])('%s', async (_, calls, outcomes) => {
    expect(await placed(calls)).toEqual(outcomes)
  })
})

describe('an event ends after 90 days, and the call that comes again', () => {
  const again = (call: Call, hours: readonly number[]) =>
    placed(
      hours.map((at) => ({ ...call, at })),
      new MemoryStore({ retention: RETENTION }),
    )

  it.each<[string, Call]>([
    ['signed-id', { eventId: 'a' }],
    ['per-item', { rule: 'per-item' }],
    ['id+body', { rule: 'id+body', eventId: 'a' }],
    ['id+body of a signed id', { rule: 'id+body', repeats: 'signed', eventId: 'a' }],
    ['time+body', { rule: 'time+body', signedAt: 0 }],
    ['a window that never ends', { rule: 'window', horizonSeconds: Number.POSITIVE_INFINITY }],
  ])('is a duplicate until 400 days have passed: %s', async (_, call) => {
    const [first = '', ...others] = await again(call, [0, 90 * DAY, 400 * DAY - 1, 400 * DAY])
    expect(others).toEqual([`duplicate of ${first}`, `duplicate of ${first}`, first])
  })

  it.each<[string, Call]>([
    ['it has a signed time: an old one is refused before', { eventId: 'a', signedAt: 0 }],
    ['its window is over', { rule: 'window' }],
    ['it proves nothing', { eventId: 'a', level: 'none' }],
    ['its batch has a signed time', { rule: 'per-item', signedAt: 0 }],
  ])('is new if %s', async (_, call) => {
    const [first = '', ...others] = await again(call, [0, 1, 90 * DAY])
    expect(others).toEqual([`duplicate of ${first}`, first])
  })

  it('under another unsigned id it is marked, as before', async () => {
    const calls = ['a', 'b'].map((eventId, index) => ({ rule: 'id+body', eventId, at: index * 91 * DAY }) as const)
    expect(await placed(calls, new MemoryStore({ retention: RETENTION }))).toEqual(['a', 'b like a'])
  })
})

describe('during the insertion of an event', () => {
  it('another with the same content may be stored: the event is marked with that one', async () => {
    const { eventStore } = new MemoryStore()
    await place(eventStore, { rule: 'always-new' }, 1)
    let isFirst = true
    const slow: EventStore = {
      ...eventStore,
      insert: async (...given) => {
        const result = await eventStore.insert(...given)
        if (isFirst) await place(eventStore, { rule: 'always-new' }, 2)
        isFirst = false
        return result
      },
    }
    expect(await place(slow, { rule: 'always-new' }, 3)).toBe('n:3 like n:2')
  })

  it('the answer to a try may be lost: the event is neither a duplicate nor marked with itself', async () => {
    const { eventStore } = new MemoryStore()
    const lossy: EventStore = {
      ...eventStore,
      insert: async (...given) => {
        await eventStore.insert(...given)
        return eventStore.insert(...given)
      },
    }
    const calls: readonly Call[] = [
      { rule: 'always-new' },
      { rule: 'always-new' },
      { rule: 'id+body', eventId: 'a', content: 'y' },
      { rule: 'id+body', eventId: 'a', content: 'z' },
    ]
    const outcomes: string[] = []
    for (const [index, call] of calls.entries()) outcomes.push(await place(lossy, call, index + 1))
    expect(outcomes).toEqual(['n:1', 'n:2 like n:1', 'a', `a~${sha256('z').slice(0, 16)}, conflict`])
  })

  it('a store that keeps changing causes an error after a few tries', async () => {
    let tries = 0
    const restless: EventStore = {
      insert: async () => ({ kind: 'repeated', last: { eventId: `other-${tries++}`, at: START } }),
      noteConflict: async () => {},
      forget: async () => {},
    }
    await expect(place(restless, { rule: 'always-new' }, 1)).rejects.toThrow('did not come to rest')
    expect(tries).toBe(5)
  })
})

it('parallel calls of a sender that is always new are all stored, each but the first with a mark', async () => {
  const store = new MemoryStore()
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, number) => place(store.eventStore, { rule: 'always-new' }, number + 1)),
  )
  const keys = outcomes.map((outcome) => outcome.split(' like ')[0])
  const marks = outcomes.flatMap((outcome) => outcome.split(' like ').slice(1))
  expect([new Set(keys).size, marks.length]).toEqual([20, 19])
  expect(keys).toEqual(expect.arrayContaining(marks))
})
