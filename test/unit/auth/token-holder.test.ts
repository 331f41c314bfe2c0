import { describe, expect, it } from 'vitest'
import type { AccountState } from '../../../lib/auth/account-states.ts'
import { issueToken, type TokenHolder, tokenHolder } from '../../../lib/auth/token-holder.ts'
import type { Role } from '../../../lib/users/role.ts'
import { DATABASE_ACCOUNT, DIRECTORY_ACCOUNT } from '../../support/fakes/accounts.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'

describe('the role of a token', () => {
  it.each<[readonly Role[], Role]>([
    [['ROLE_USER'], 'ROLE_USER'],
    [['ROLE_ADMIN'], 'ROLE_ADMIN'],
    [['ROLE_USER', 'ROLE_ADMIN'], 'ROLE_ADMIN'],
  ])('of a user with %j is %s', (roles, role) => {
    expect(tokenHolder({ ...DATABASE_ACCOUNT, roles, since: START })).toMatchObject({ uid: 'id-1', role })
  })

  it('does not exist for a user without a role', () => {
    expect(tokenHolder({ ...DATABASE_ACCOUNT, roles: [], since: START })).toBeUndefined()
  })
})

const at = (milliseconds: number) => new Date(START.getTime() + milliseconds)

/**
 * A login that began at `START`, some milliseconds ago.
 * @param ended when all logins of the account ended, as the login found it
 */
function setUp({ ended, took = 0, store = 'database' }: { ended?: Date; took?: number; store?: string }) {
  const clock = fixedClock()
  clock.advance(took)
  const waits: number[] = []
  const world: { state: AccountState | undefined } = {
    state: { uid: 'id-1', username: 'Alice', roles: ['ROLE_USER'], validAfter: ended },
  }
  const account = store === 'database' ? { ...DATABASE_ACCOUNT, validAfter: ended } : DIRECTORY_ACCOUNT
  const holder = tokenHolder({ ...account, since: START }) as TokenHolder
  const parts = {
    tokens: {
      issue: async (...[username, , , since]: [string, Role, string?, Date?]) => `${username} ${since?.toISOString()}`,
    },
    accounts: { find: async () => world.state },
    ends: { find: async () => ended },
    clock,
    async wait(milliseconds: number) {
      waits.push(milliseconds)
      // A timer may be early.
      clock.advance(waits.length === 1 ? milliseconds - 1 : milliseconds)
    },
  }
  return { issue: () => issueToken(parts, holder), waits, world }
}

describe('the token of a login', () => {
  it.each<[string, Date | undefined]>([
    ['never ended', undefined],
    ['ended a millisecond before the second of the login', at(-1)],
  ])('is issued at the time when the login began, if its logins %s', async (_, ended) => {
    const { issue, waits } = setUp({ took: 1500, ...(ended && { ended }) })
    expect(await issue()).toBe(`Alice ${START.toISOString()}`)
    expect(waits).toEqual([])
  })

  it.each([
    ['database', 'Alice'],
    ['directory', 'carol'],
  ])('waits until the second in which the logins of an account of the %s ended is over', async (store, name) => {
    const { issue, waits } = setUp({ ended: at(120), took: 200, store })
    expect(await issue()).toBe(`${name} ${at(1000).toISOString()}`)
    expect(waits).toEqual([800, 1])
  })

  it('waits no longer if that second is over meanwhile', async () => {
    const { issue, waits } = setUp({ ended: at(0), took: 1300 })
    expect(await issue()).toBe(`Alice ${at(1000).toISOString()}`)
    expect(waits).toEqual([])
  })

  it.each<[string, AccountState | undefined]>([
    ['ended once more', { uid: 'id-1', username: 'Alice', roles: ['ROLE_USER'], validAfter: at(700) }],
    ['are no more, with its account', undefined],
  ])('is refused if its logins %s while it waited', async (_, state) => {
    const { issue, world } = setUp({ ended: at(120) })
    world.state = state
    await expect(issue()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  it('is refused if the logins end more than two seconds from now, by another clock', async () => {
    const { issue, waits } = setUp({ ended: at(2500) })
    await expect(issue()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(waits).toEqual([])
  })
})
