import { describe, expect, it } from 'vitest'
import { secretHashOf } from '../../../../lib/auth/keys/api-key.ts'
import { createKeyGate } from '../../../../lib/auth/keys/gate.ts'
import { createKey, deleteKey, listKeys } from '../../../../lib/auth/keys/manage.ts'
import type { Principal } from '../../../../lib/auth/principal.ts'
import { clockIds } from '../../../../lib/runtime/ids.ts'
import { fixedClock, START } from '../../../support/fakes/clock.ts'
import { ADMINS, MemoryKeys } from '../../../support/fakes/keys.ts'
import { recordingLog } from '../../../support/fakes/log.ts'

const DAY = 24 * 60 * 60 * 1000
const inDays = (days: number) => new Date(START.getTime() + days * DAY)

const ADA: Principal = {
  ...{ username: 'ada', uid: 'ada-1', roles: ['ROLE_ADMIN'], authType: 'FORM', principalType: 'DatabaseUser' },
  loggedInAt: START,
}

function world() {
  const [keys, clock, log] = [new MemoryKeys(), fixedClock(), recordingLog()]
  return { keys, clock, log, ids: clockIds(clock) }
}

describe('a new key', () => {
  it('opens the gate, and only its hash is stored', async () => {
    const parts = world()
    const { key: text, ...shown } = await createKey(parts, { name: 'warehouse', sources: ['shop'] }, ADA)
    expect(shown).toEqual({
      id: expect.stringMatching(/^[0-9a-z]{13}$/),
      name: 'warehouse',
      sources: ['shop'],
      createdAt: START.toISOString(),
      createdBy: 'ada',
      expiresAt: inDays(365).toISOString(),
      lastUsedAt: null,
    })
    expect((await createKeyGate({ ...parts, accounts: ADMINS }).check(text)).key).toEqual({
      id: shown.id,
      sources: ['shop'],
    })
    const secret = text.slice(`ghk_${shown.id}_`.length)
    expect(parts.keys.kept.get(shown.id)?.secretHash).toBe(secretHashOf(secret))
    expect(JSON.stringify([...parts.keys.kept])).not.toContain(secret)
  })

  it('is logged with its id and its creator, and without its text', async () => {
    const parts = world()
    const { id, key } = await createKey(parts, { name: 'warehouse' }, ADA)
    await deleteKey(parts, id, 'grace')
    expect(parts.log.entries.map(({ message, fields }) => ({ message, ...fields }))).toEqual([
      { message: 'audit', decision: 'key made', key: id, user: 'ada' },
      { message: 'audit', decision: 'key deleted', key: id, user: 'grace' },
    ])
    expect(JSON.stringify(parts.log.entries)).not.toContain(key)
  })

  it.each([1 / DAY, 730])('may end in %d days', async (days) => {
    const { expiresAt } = await createKey(world(), { name: 'x', expiresAt: inDays(days) }, ADA)
    expect(expiresAt).toBe(inDays(days).toISOString())
  })

  it.each([0, 730 + 1 / DAY])('may not end in %d days', async (days) => {
    await expect(createKey(world(), { name: 'x', expiresAt: inDays(days) }, ADA)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: {
        validationErrors: [{ field: 'expiresAt', message: 'must be in the future, at most 730 days from now' }],
      },
    })
  })
})

describe('the list of keys', () => {
  it('shows each key once, the newest first, page by page, and no hash', async () => {
    const parts = world()
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      await createKey(parts, { name }, ADA)
      parts.clock.advance(1)
    }
    const first = await listKeys(parts, { limit: 2 })
    const second = await listKeys(parts, { limit: 2, cursor: first.nextCursor ?? '' })
    const third = await listKeys(parts, { limit: 2, cursor: second.nextCursor ?? '' })
    expect([first, second, third].map(({ keys }) => keys.map(({ name }) => name))).toEqual([
      ['e', 'd'],
      ['c', 'b'],
      ['a'],
    ])
    expect(third.nextCursor).toBeNull()
    expect(JSON.stringify([first, second, third])).not.toMatch(/secret|hash/i)
  })

  it('has no page after a full last page', async () => {
    const parts = world()
    await createKey(parts, { name: 'a' }, ADA)
    expect((await listKeys(parts, { limit: 1 })).nextCursor).toBeNull()
  })

  it('refuses a cursor that no page returned', async () => {
    await expect(listKeys(world(), { limit: 1, cursor: 'x' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })
})

describe('deleting a key', () => {
  it.each(['0000000000zzz', '../0000000000zzz'])('of an unknown id is 404: %j', async (id) => {
    await expect(deleteKey(world(), id, 'ada')).rejects.toMatchObject({ code: 'KEY_NOT_FOUND', status: 404 })
  })
})
