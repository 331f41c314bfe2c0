import { describe, expect, it } from 'vitest'
import { createAccountGate, issueToken, type TokenHolder, tokenHolder } from '../../../lib/auth/account-gate.ts'
import type { AccountState, AccountStates, Look } from '../../../lib/auth/account-states.ts'
import type { Principal } from '../../../lib/auth/principal.ts'
import { unavailable } from '../../../lib/errors.ts'
import type { Role } from '../../../lib/users/role.ts'
import { DATABASE_ACCOUNT, DIRECTORY_ACCOUNT } from '../../support/fakes/accounts.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'

describe('account gate', () => {
  const SECOND = 1000
  const ALICE: AccountState = { uid: 'id-1', username: 'alice', roles: ['ROLE_ADMIN'], createdAt: START }

  /** Who comes with a token that was issued a number of milliseconds after the account was made. */
  function holder(changes: Partial<Principal> = {}, issued = 0): Principal {
    const tokenIssuedAt = new Date(START.getTime() + issued)
    const token = { authType: 'JWT', principalType: 'JwtUser', tokenIssuedAt } as const
    return { username: 'alice', uid: 'id-1', roles: ['ROLE_ADMIN'], ...token, ...changes }
  }

  function setUp(first: AccountState = ALICE) {
    const clock = fixedClock()
    const asked: string[] = []
    const world = { state: first as Look, isDown: false }
    const states: Pick<AccountStates, 'look'> = {
      async look({ uid, username }) {
        asked.push(uid === undefined ? `name ${username}` : `uid ${uid}`)
        if (world.isDown) throw unavailable(new Error('down'))
        return world.state
      },
    }
    return { world, asked, clock, states, gate: createAccountGate(states, clock) }
  }

  const REVOKED = { code: 'TOKEN_INVALID', status: 401, details: { tokenStatus: 'REVOKED' } }

  describe('the account behind a token', () => {
    it.each<[string, AccountState]>([
      ['unchanged', ALICE],
      ['with more roles', { ...ALICE, roles: ['ROLE_USER', 'ROLE_ADMIN'] }],
      ['whose logins ended in the second before the token', { ...ALICE, validAfter: new Date(START.getTime() - 999) }],
    ])('is accepted %s', async (_, state) => {
      const principal = holder()
      expect(await setUp(state).gate.confirm(principal)).toBe(principal)
    })

    const ENDED = 'The logins of the account ended after the token was issued'

    it.each<[string, Look, string]>([
      ['is deleted', 'gone', 'The account of the token is gone'],
      ['is disabled', 'disabled', 'The account of the token is disabled'],
      ['lost the role', { ...ALICE, roles: ['ROLE_USER'] }, 'The account of the token has another role now'],
      [
        'lost the role and its logins',
        { ...ALICE, roles: [], validAfter: new Date(START.getTime() + SECOND) },
        'The account of the token has another role now',
      ],
      ['ended its logins since', { ...ALICE, validAfter: new Date(START.getTime() + SECOND) }, ENDED],
      ['ended its logins in the second of the token', { ...ALICE, validAfter: new Date(START.getTime() + 300) }, ENDED],
      ['ended its logins at the very time of the token', { ...ALICE, validAfter: START }, ENDED],
    ])('makes the token REVOKED if it %s, and says so', async (_, state, tokenError) => {
      const { gate, world } = setUp()
      world.state = state
      await expect(gate.confirm(holder())).rejects.toMatchObject({ details: { tokenStatus: 'REVOKED', tokenError } })
    })

    it('B18 is found by the name for a token without an id, which then gets the id', async () => {
      const { gate, asked } = setUp()
      expect(await gate.confirm(holder({ uid: undefined }))).toEqual(holder())
      expect(asked).toEqual(['name alice'])
    })

    it('B18 makes a token without an id REVOKED if the token is older than the account', async () => {
      const { gate } = setUp()
      const details = { tokenStatus: 'REVOKED', tokenError: 'The account of the token is gone' }
      await expect(gate.confirm(holder({ uid: undefined }, -SECOND))).rejects.toMatchObject({ details })
    })

    it('is read each time for what makes or ends credentials', async () => {
      const { asked, clock, states } = setUp()
      clock.advance(SECOND)
      const gate = createAccountGate(states, clock, 0)
      await Promise.all([gate.confirm(holder()), gate.confirm(holder())])
      expect(asked).toHaveLength(2)
    })

    it('is read once in five seconds, for any number of parallel calls', async () => {
      const { gate, asked, clock } = setUp()
      clock.advance(SECOND)
      await Promise.all([
        gate.confirm(holder()),
        gate.confirm(holder()),
        gate.confirm(holder({ roles: ['ROLE_USER'] })),
      ])
      clock.advance(4999)
      await gate.confirm(holder())
      expect(asked).toHaveLength(1)
      clock.advance(1)
      await gate.confirm(holder())
      expect(asked).toHaveLength(2)
      clock.advance(-60 * SECOND)
      await gate.confirm(holder())
      expect(asked, 'a clock that went back').toHaveLength(3)
    })

    it.each([
      ['in the second of the token', 0, 999],
      ['before the token was issued', 3000, 3100],
    ])('is read again although it was read %s', async (_, issued, used) => {
      const { gate, asked, clock, world } = setUp()
      await gate.confirm(holder({}, -SECOND))
      world.state = { ...ALICE, validAfter: new Date(START.getTime() + issued + 50) }
      clock.advance(used)
      await expect(gate.confirm(holder({}, issued))).rejects.toMatchObject(REVOKED)
      expect(asked).toHaveLength(2)
    })

    it('refuses calls during an outage, and is read again at once', async () => {
      const { gate, world } = setUp()
      world.isDown = true
      await expect(gate.confirm(holder())).rejects.toMatchObject({ code: 'UNAVAILABLE' })
      world.isDown = false
      expect(await gate.confirm(holder())).toEqual(holder())
    })
  })
})

describe('token holder', () => {
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
        issue: async (...[username, , , since]: [string, Role, string?, Date?]) =>
          `${username} ${since?.toISOString()}`,
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
})
