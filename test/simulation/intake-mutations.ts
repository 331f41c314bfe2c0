import type { WebhookEvent } from '../../lib/webhooks/event.ts'
import { contentOf, type EventStore, type InsertResult, type PresentEvent } from '../../lib/webhooks/place.ts'
import type { MemoryStore } from '../support/fakes/memory-store.ts'
import type { Calling, Mutation, Ports, Sight } from './mutation.ts'
import type { SourceName } from './sources.ts'

type Insert = EventStore['insert']
type Inserted = Awaited<ReturnType<Insert>>

/** The guards of what makes a call an event of its own, a copy or a look-alike. */
export const INTAKE_MUTATIONS: Readonly<Record<string, Mutation & Sight>> = {
  'a content replaced whoever had it last': {
    without: ['insert: the content is as read'],
    as: 'a copy is stored as an event',
  },
  'a source whose contents are not kept': {
    replace: insertOf(
      'news',
      (insert) =>
        (event, effects, { items } = {}) =>
          insert(event, effects, { items }),
    ),
    as: 'a look-alike without a mark',
  },
  'a mark however long ago the event before was': {
    replace: insertOf('news', (insert) => async (event, ...rest) => {
      const result = await insert(event, ...rest)
      return result.kind === 'repeated' ? repeated(result.last.eventId, event.receivedAt) : result
    }),
    as: 'a mark that names nothing alike',
  },
  'a look-alike that waits until nobody else comes': {
    replace: insertOf('news', (insert) => async (event, effects, beside) => {
      const { possibleDuplicateOf: mark } = event
      const isAlone = mark !== undefined && beside?.content === undefined
      return isAlone ? repeated(mark, event.receivedAt) : insert(event, effects, beside)
    }),
    as: 'a call is refused although nothing failed',
  },
  'a late call taken although it says nothing new': {
    replace: insertOf('unsigned', (insert) => (event, effects, { items, content } = {}) => {
      return insert(event, effects, { items, content: event.proof.stale ? undefined : content })
    }),
    as: 'a copy is stored as an event',
  },
  'a late call dropped whatever it says': {
    replace: insertOf('timed', (insert) => async (event, effects, beside) => {
      return event.proof.stale ? repeated('nobody', event.receivedAt) : insert(event, effects, beside)
    }),
    seenIn: 'skewed',
    as: 'an acknowledged event is lost',
  },
  'lateness of which the record says nothing': {
    replace: insertOf('timed', (insert) => ({ proof: { stale: _, ...proof }, ...event }, ...rest) => {
      return insert({ ...event, proof }, ...rest)
    }),
    seenIn: 'skewed',
    as: 'a record is wrong about the lateness of its call',
  },
  'a signed time that tells nothing apart': {
    replace: insertOf('timed', (insert) => (event, ...rest) => {
      return insert({ ...event, eventId: `h:${contentOf(event).slice(0, 32)}` }, ...rest)
    }),
    as: 'an acknowledged event is lost',
  },
  'marks of a retry that make another event': {
    replace: insertOf('batches', (insert) => (event, ...rest) => {
      return insert({ ...event, eventId: `h:${event.payloadSha256.slice(0, 32)}` }, ...rest)
    }),
    as: 'a copy is stored as an event',
  },
  'another content under a signed id taken for another event': {
    replace: insertOf('rows', (insert) => async (event, ...rest) => {
      const result = await insert(event, ...rest)
      const isOther = result.kind === 'present' && result.event.payloadSha256 !== event.payloadSha256
      return isOther ? insert({ ...event, eventId: `${event.eventId}~other` }, ...rest) : result
    }),
    as: 'a copy is stored as an event',
  },
  'another content under an unsigned id taken for a copy': {
    replace: insertOf(
      'unsigned',
      answering(({ payloadSha256 }) => ({ payloadSha256 })),
    ),
    as: 'an acknowledged event is lost',
  },
  'another content under an unsigned id of which the record says nothing': {
    replace: insertOf(
      'unsigned',
      (insert) =>
        (event, ...rest) =>
          insert({ ...event, idConflict: undefined }, ...rest),
    ),
    as: 'an event under a wrong id, or silent about the conflict',
  },
  'a window that never ends': {
    replace: insertOf(
      'nameless',
      answering(({ receivedAt }) => ({ receivedAt })),
    ),
    as: 'an acknowledged event is lost',
  },
  'a window that ends at once': {
    replace: insertOf('nameless', (insert) => async (...given) => {
      const result = await answering(() => ({ receivedAt: LONG_AGO }))(insert)(...given)
      return result.kind === 'repeated' ? repeated(result.last.eventId, LONG_AGO) : result
    }),
    as: 'a copy is stored as an event',
  },
  'conflicts that nobody counts': {
    replace: (ports) => ({ ...ports, events: { ...ports.events, noteConflict: async () => {} } }),
    as: 'a conflict that no record shows',
  },
  'conflicts counted by whoever comes': {
    replace: recount,
    as: 'a conflict counted twice within a minute',
  },
  'conflicts counted however soon they come': {
    replace: insertOf(
      'rows',
      answering((_, { idConflict }) => ({ idConflict: idConflict && { ...idConflict, lastAt: LONG_AGO } })),
    ),
    as: 'a conflict counted twice within a minute',
  },
  'elements outside the transaction': {
    replace: elementsAfterwards,
    as: 'a batch without its elements',
  },
  'elements of a large batch in the transaction': {
    replace: insertOf('batches', (insert) => (event, effects, beside) => {
      const { elements } = JSON.parse(event.payload.toString())
      const items = elements.map(({ id: eventId, type: eventType }: Record<string, string>) => ({ eventId, eventType }))
      return insert(event, effects, { ...beside, items })
    }),
    as: 'more elements at once than an insert takes',
  },
  'elements that no worker writes': {
    replace: (ports) => ({ ...ports, retries: { ...ports.retries, writeItems: async () => {} } }),
    as: 'a batch without its elements',
  },
  'elements after the end of the run': {
    replace: elementsAtTheEnd,
    as: 'a batch without its elements',
  },
}

const LONG_AGO = new Date(0)

/** Changes how the events of one source are inserted. */
function insertOf(source: SourceName, change: (insert: Insert) => Insert): (ports: Ports) => Ports {
  return (ports) => {
    const { insert } = ports.events
    const changed = change(insert)
    const events: EventStore = {
      ...ports.events,
      insert: (event, ...rest) => (event.source === source ? changed : insert)(event, ...rest),
    }
    return { ...ports, events }
  }
}

/** Changes what an insert says of the event that is present. */
function answering(
  change: (event: WebhookEvent, present: PresentEvent) => Partial<PresentEvent>,
): (insert: Insert) => Insert {
  return (insert) =>
    async (event, ...rest): Promise<Inserted> => {
      const result = await insert(event, ...rest)
      if (result.kind !== 'present') return result
      return { kind: 'present', event: { ...result.event, ...change(event, result.event) } }
    }
}

function repeated(eventId: string, at: Date): InsertResult {
  return { kind: 'repeated', last: { eventId, at } }
}

/** A count that is not the one that was read. */
function recount(ports: Ports, store: MemoryStore, call: Calling): Ports {
  const { noteConflict } = store.eventStore
  const events: EventStore = {
    ...ports.events,
    noteConflict: (read, at) => call('noteConflict', () => noteConflict(store.find(read) ?? read, at)),
  }
  return { ...ports, events }
}

function elementsAfterwards(ports: Ports): Ports {
  return {
    ...ports,
    events: {
      ...ports.events,
      insert: async (event, effects, { items, content } = {}) => {
        const result = await ports.events.insert(event, effects, { content })
        if (items && result.kind === 'inserted') await ports.retries.writeItems(event, items)
        return result
      },
    },
  }
}

function elementsAtTheEnd(ports: Ports): Ports {
  let write = async () => {}
  return {
    ...ports,
    retries: {
      ...ports.retries,
      writeItems: async (event, items) => {
        write = () => ports.retries.writeItems(event, items)
      },
      finish: async (...given) => {
        const ending = await ports.retries.finish(...given)
        await write()
        return ending
      },
    },
  }
}
