import { describe, expect, it } from 'vitest'
import type { AccountState } from '../../../../lib/auth/account-states.ts'
import { keyTextOf, newSecret } from '../../../../lib/auth/keys/api-key.ts'
import { createKeyGate, FRESH_MS } from '../../../../lib/auth/keys/gate.ts'
import { fixedClock, START } from '../../../support/fakes/clock.ts'
import { ADMINS, MemoryKeys, newApiKey } from '../../../support/fakes/keys.ts'
import { recordingLog } from '../../../support/fakes/log.ts'

const MINUTE = 60_000

async function world(changes: Parameters<typeof newApiKey>[0] = {}) {
  const keys = new MemoryKeys()
  const [clock, log] = [fixedClock(), recordingLog()]
  const { key, text } = newApiKey(changes)
  await keys.add(key)
  const accounts = { ...ADMINS }
  return { keys, accounts, clock, log, key, text, gate: createKeyGate({ keys, accounts, clock, log }) }
}

const INVALID = {
  code: 'API_KEY_INVALID',
  status: 401,
  message: 'Invalid API key',
  details: { authType: 'API Key', reason: 'Bad credentials' },
}

describe('a valid key', () => {
  it('authenticates a machine without a role, with the sources of the key', async () => {
    const { gate, key, text } = await world({ sources: ['stripe', 'github'] })
    expect(await gate.check(text)).toEqual({
      username: `key:${key.id}`,
      roles: [],
      authType: 'API_KEY',
      principalType: 'ApiKey',
      key: { id: key.id, sources: ['stripe', 'github'] },
    })
  })

  it('for all sources names none', async () => {
    const { gate, key, text } = await world()
    expect((await gate.check(text)).key).toEqual({ id: key.id })
  })

  it('is read once within 20 seconds, for any number of parallel calls', async () => {
    const { gate, keys, clock, text } = await world()
    await Promise.all([gate.check(text), gate.check(text)])
    clock.advance(FRESH_MS - 1)
    await gate.check(text)
    expect(keys.finds).toBe(1)
    clock.advance(1)
    await gate.check(text)
    expect(keys.finds).toBe(2)
  })

  it('is read again after the clock was set back', async () => {
    const { gate, keys, clock, text } = await world()
    await gate.check(text)
    clock.advance(-1)
    await gate.check(text)
    expect(keys.finds).toBe(2)
  })
})

describe('an invalid key gets the same refusal for every cause', () => {
  it.each<[string, (good: { id: string; text: string }) => string]>([
    ['an unknown id', () => keyTextOf({ id: '0000000000zzz', secret: newSecret() })],
    ['a wrong secret', ({ id }) => keyTextOf({ id, secret: newSecret() })],
    ['not a key at all', () => 'x'],
    ['10,000 characters', ({ text }) => text.padEnd(10_000, 'x')],
  ])('%s', async (_, wrong) => {
    const { gate, key, text } = await world()
    await expect(gate.check(wrong({ id: key.id, text }))).rejects.toMatchObject(INVALID)
    await expect(gate.check(text)).resolves.toBeDefined()
  })

  it('an expired one, from its last moment on, although the table still has it', async () => {
    const { gate, clock, text } = await world({ expiresAt: new Date(START.getTime() + 10) })
    clock.advance(9)
    await expect(gate.check(text)).resolves.toBeDefined()
    clock.advance(1)
    await expect(gate.check(text)).rejects.toMatchObject(INVALID)
  })

  it('a deleted one, after 20 seconds at most', async () => {
    const { gate, keys, key, clock, text } = await world()
    await gate.check(text)
    await keys.remove(key.id)
    clock.advance(FRESH_MS)
    await expect(gate.check(text)).rejects.toMatchObject(INVALID)
    await expect(gate.confirm(key.id)).rejects.toMatchObject(INVALID)
  })

  it('but a new key is accepted at once, although its id was guessed before', async () => {
    const { gate, keys } = await world()
    const later = newApiKey()
    await expect(gate.check(later.text)).rejects.toMatchObject(INVALID)
    await keys.add(later.key)
    await expect(gate.check(later.text)).resolves.toBeDefined()
  })
})

describe('a key is as good as its maker', () => {
  const MAKER: AccountState = { uid: 'admin-1', username: 'admin', roles: ['ROLE_ADMIN'] }
  it.each<[string, AccountState | undefined]>([
    ['is gone or disabled', undefined],
    ['is no admin any more', { ...MAKER, roles: ['ROLE_USER'] }],
    ['has ended the keys that were made before', { ...MAKER, keysValidAfter: new Date(START.getTime() + 1) }],
  ])('and is refused after 20 seconds at most once that account %s', async (_, state) => {
    const { gate, accounts, key, clock, text } = await world()
    await gate.check(text)
    accounts.find = async () => state
    clock.advance(FRESH_MS)
    await expect(gate.check(text)).rejects.toMatchObject(INVALID)
    await expect(gate.confirm(key.id)).rejects.toMatchObject(INVALID)
  })

  it('and stays where that account ended only keys made before, or logins', async () => {
    const { gate, accounts, text } = await world()
    accounts.find = async () => ({ ...MAKER, keysValidAfter: START, validAfter: new Date(START.getTime() + 1) })
    await expect(gate.check(text)).resolves.toBeDefined()
  })
})

describe('an outage of the store', () => {
  it('is 503 for an unknown key, and the next call tries again', async () => {
    const { gate, keys, text } = await world()
    keys.isDown = true
    await expect(gate.check(text)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    keys.isDown = false
    await expect(gate.check(text)).resolves.toBeDefined()
  })
})

describe('the use of a key', () => {
  it('is noted at its first call, and once in five minutes', async () => {
    const { gate, keys, key, clock, text } = await world()
    for (let call = 0; call < 3; call++) await gate.check(text)
    await gate.confirm(key.id)
    expect([keys.notes, keys.kept.get(key.id)?.lastUsedAt]).toEqual([1, START])
    clock.advance(5 * MINUTE - 1)
    await gate.check(text)
    expect(keys.notes).toBe(1)
    clock.advance(1)
    await gate.check(text)
    expect(keys.notes).toBe(2)
  })

  it('that another process noted is not noted again', async () => {
    const { gate, keys, text } = await world({ lastUsedAt: new Date(START.getTime() - 5 * MINUTE + 1) })
    await gate.check(text)
    expect(keys.notes).toBe(0)
  })

  it('of a stream that stays open is noted as well', async () => {
    const { gate, keys, key } = await world()
    await gate.confirm(key.id)
    expect(keys.notes).toBe(1)
  })

  it('is not noted for a wrong secret or an expired key', async () => {
    const { gate, keys, key, clock, text } = await world()
    await expect(gate.check(keyTextOf({ id: key.id, secret: newSecret() }))).rejects.toMatchObject(INVALID)
    clock.advance(60 * MINUTE)
    await expect(gate.check(text)).rejects.toMatchObject(INVALID)
    expect(keys.notes).toBe(0)
  })

  it('that cannot be noted neither delays nor fails the call, and is logged without the key', async () => {
    const { gate, keys, key, log, text } = await world()
    const { promise, reject } = Promise.withResolvers<void>()
    keys.noteUse = () => promise
    await expect(gate.check(text)).resolves.toBeDefined()
    reject(new Error('the store is down'))
    await promise.catch(() => {})
    await new Promise(setImmediate)
    expect(log.entries).toMatchObject([
      { level: 'warn', message: 'the use of a key was not noted', fields: { key: key.id } },
    ])
    expect(JSON.stringify(log.entries)).not.toContain(text.slice(18))
  })
})
