import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { AccountState } from '../../../../lib/auth/account-states.ts'
import { sessionKey } from '../../../../lib/auth/session.ts'
import { fixedClock, START } from '../../../support/fakes/clock.ts'
import { ADMIN, ticketWorld } from '../../../support/ticket-world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
async function setUp() {
  const clock = fixedClock()
  return { clock, ...(await ticketWorld(clock)) }
}

const refusal = (reason: string) => ({ code: 'TICKET_INVALID', status: 401, details: { authType: 'Ticket', reason } })
const BAD = refusal('Bad credentials')
const OVER = refusal('Session ended')

describe('a live ticket', () => {
  it('has 32 random bytes, new each time, and is valid for a minute', async () => {
    const { issue } = await setUp()
    const issued = await Promise.all(Array.from({ length: 100 }, issue))
    expect(new Set(issued.map(({ ticket }) => ticket)).size).toBe(100)
    for (const { ticket, expiresAt } of issued) {
      expect(Buffer.from(ticket, 'base64url')).toHaveLength(32)
      expect(expiresAt).toBe(new Date(START.getTime() + MINUTE).toISOString())
    }
  })

  it('S22 is stored under its SHA-256, without anything that grants access', async () => {
    const { issue, tickets, id } = await setUp()
    const { ticket } = await issue()
    const key = createHash('sha256').update(ticket).digest('base64url')
    expect([...tickets.kept]).toEqual([
      [key, { key, sessionKey: sessionKey(id), expiresAt: new Date(START.getTime() + MINUTE) }],
    ])
  })

  it('authenticates the owner of the session, with the present roles of the account', async () => {
    const { issue, redeem, become } = await setUp()
    const { ticket } = await issue()
    become({ ...ADMIN, roles: ['ROLE_USER'] })
    const { owner } = await redeem(ticket)
    expect(owner).toMatchObject({ username: 'Alice', uid: 'id-1', roles: ['ROLE_USER'], authType: 'FORM' })
    expect(owner.tokenExpiresAt).toBeUndefined()
  })

  it('S22 is accepted once: one of several parallel uses succeeds', async () => {
    const { issue, redeem } = await setUp()
    const { ticket } = await issue()
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => redeem(ticket)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(BAD)
  })

  it('is accepted until just before its end', async () => {
    const { issue, redeem, clock } = await setUp()
    const [one, other] = [await issue(), await issue()]
    clock.advance(MINUTE - 1)
    await expect(redeem(one.ticket)).resolves.toBeDefined()
    clock.advance(1)
    await expect(redeem(other.ticket)).rejects.toMatchObject(BAD)
  })

  it.each(['', 'A'.repeat(43), '__proto__'])('is refused: %j', async (text) => {
    const { issue, redeem, tickets } = await setUp()
    await issue()
    await expect(redeem(text)).rejects.toMatchObject(BAD)
    expect(tickets.kept.size).toBe(1)
  })

  it('S22 grants no access after the end of the session', async () => {
    const { issue, redeem, logOut } = await setUp()
    const { ticket } = await issue()
    await logOut()
    await expect(redeem(ticket)).rejects.toMatchObject(OVER)
  })

  it('is used up even if sessions cannot be read', async () => {
    const { issue, redeem, store, tickets } = await setUp()
    const { ticket } = await issue()
    store.isDown = true
    await expect(redeem(ticket)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(tickets.kept.size).toBe(0)
  })
})

describe('a connection that a live ticket opened', () => {
  async function opened() {
    const world = await setUp()
    const { ticket } = await world.issue()
    return { ...world, entered: await world.redeem(ticket) }
  }

  it('continues after the end of the ticket, and does not extend the session', async () => {
    const { entered, clock, store } = await opened()
    clock.advance(29 * MINUTE)
    await expect(entered.confirm()).resolves.toBeUndefined()
    expect(store.touches).toBe(0)
    clock.advance(MINUTE)
    await expect(entered.confirm()).rejects.toMatchObject(OVER)
  })

  it('ends with the session, at its expiry at the latest', async () => {
    const { entered, logOut, clock } = await opened()
    expect(entered.end?.at).toEqual(new Date(START.getTime() + 12 * HOUR))
    expect(entered.end?.reason(clock.now())).toMatchObject(OVER)
    await logOut()
    await expect(entered.confirm()).rejects.toMatchObject(OVER)
  })

  it.each<[string, AccountState | undefined]>([
    ['is disabled or deleted', undefined],
    ['has ended its logins', { ...ADMIN, validAfter: new Date(START.getTime() + 1) }],
  ])('ends when the account %s', async (_, state) => {
    const { entered, become } = await opened()
    become(state)
    await expect(entered.confirm()).rejects.toMatchObject(OVER)
  })

  it('ends when the account loses a role, and continues when it gets one', async () => {
    const { entered, become } = await opened()
    become({ ...ADMIN, roles: ['ROLE_ADMIN', 'ROLE_USER'] })
    await expect(entered.confirm()).resolves.toBeUndefined()
    become({ ...ADMIN, roles: ['ROLE_USER'] })
    await expect(entered.confirm()).rejects.toMatchObject(refusal('Role changed'))
  })

  it('ends when the session cannot be verified', async () => {
    const { entered, store } = await opened()
    store.isDown = true
    await expect(entered.confirm()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })
})
