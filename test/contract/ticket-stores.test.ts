import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { dynamoAccountSessions, dynamoSessionStore, dynamoTicketStore } from '../../lib/adapters/dynamodb/sessions.ts'
import type { Ticket, TicketStore } from '../../lib/auth/live/ticket.ts'
import { TABLES } from '../support/emulated-store.ts'
import { FORM_USER } from '../support/fakes/sessions.ts'
import { MemoryTickets } from '../support/fakes/tickets.ts'
import { fakeAnd, startedStore } from './stores.ts'

/** Far enough away that no table clears a ticket away during a test. */
const EXPIRY = new Date('2100-01-01T00:00:00.123Z')

const newTicket = (): Ticket => ({ key: randomUUID(), sessionKey: randomUUID(), expiresAt: EXPIRY })

const STORES = fakeAnd<TicketStore>(
  () => new MemoryTickets(),
  (documents) => dynamoTicketStore(documents, TABLES.sessions),
)

describe.each(STORES)('%s as a ticket store', (_, open) => {
  const tickets = open()

  it('returns one once, with every field', async () => {
    const [one, other] = [newTicket(), newTicket()]
    await tickets.put(one)
    await tickets.put(other)
    expect(await tickets.take(one.key)).toEqual(one)
    expect(await tickets.take(one.key)).toBeUndefined()
    expect(await tickets.take(other.key)).toEqual(other)
  })

  it('S22 returns one to only one of several parallel callers', async () => {
    const ticket = newTicket()
    await tickets.put(ticket)
    const taken = await Promise.all(Array.from({ length: 20 }, () => tickets.take(ticket.key)))
    expect(taken.filter((one) => one !== undefined)).toEqual([ticket])
  })
})

describe('tickets beside sessions', () => {
  const store = startedStore()

  it('S22 does not find a ticket as a session: neither by its key, nor in the list of an account', async () => {
    const tickets = dynamoTicketStore(store.documents, TABLES.sessions)
    const sessions = dynamoSessionStore(store.documents, TABLES.sessions)
    const now = new Date()
    const session = { ...FORM_USER, uid: randomUUID(), key: randomUUID(), createdAt: now, lastSeenAt: now }
    await sessions.put(session, EXPIRY)
    const ticket = { ...newTicket(), sessionKey: session.key }
    await tickets.put(ticket)
    expect(await sessions.find(ticket.key)).toBeUndefined()
    expect(await tickets.take(session.key)).toBeUndefined()
    expect(await sessions.find(session.key)).toBeDefined()
    const listed = await dynamoAccountSessions(store.documents, TABLES.sessions).list(session.uid, 10)
    expect(listed.map(({ key }) => key)).toEqual([session.key])
  })
})
