import { createHash, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { dynamoPasskeyStore } from '../../lib/adapters/dynamodb/passkey-store.ts'
import { dynamoChallengeStore, dynamoSessionStore } from '../../lib/adapters/dynamodb/sessions.ts'
import { dynamoUserAdministration } from '../../lib/adapters/dynamodb/users.ts'
import type { ChallengeStore, Passkey, PasskeyStore } from '../../lib/auth/passkeys/passkey.ts'
import { TABLES } from '../support/emulated-store.ts'
import { MemoryChallenges, MemoryPasskeys } from '../support/fakes/passkeys.ts'
import { fakeAnd, startedStore } from './stores.ts'

/** Far enough away that no table clears a challenge away during a test. */
const EXPIRY = new Date('2100-01-01T00:00:00.123Z')
const CREATED = new Date('2026-01-02T03:04:05.678Z')
const USED = new Date('2026-01-02T03:09:05.678Z')

function newPasskey(changes: Partial<Passkey> = {}): Passkey {
  const credentialId = randomUUID()
  const id = createHash('sha256').update(credentialId).digest('hex')
  const times = { createdAt: CREATED, loginAt: CREATED }
  return { id, credentialId, name: 'ä laptop', publicKey: 'pQECAyY', signCount: 0, ...times, ...changes }
}

const STORES = fakeAnd<PasskeyStore>(
  () => new MemoryPasskeys(),
  (documents) => dynamoPasskeyStore(documents, TABLES.passkeys),
)

describe.each(STORES)('%s as a store of passkeys', (_, open) => {
  const passkeys = open()

  it('lists those of an account completely', async () => {
    const [uid, one, other] = [randomUUID(), newPasskey(), newPasskey({ signCount: 7 })]
    expect(await passkeys.list(uid)).toEqual([])
    expect([await passkeys.add(uid, one, 10), await passkeys.add(uid, other, 10)]).toEqual(['added', 'added'])
    expect(new Set(await passkeys.list(uid))).toEqual(new Set([one, other]))
    expect(await passkeys.list(randomUUID())).toEqual([])
  })

  it('adds none twice, and none beyond the maximum, in parallel as well', async () => {
    const [uid, known] = [randomUUID(), newPasskey()]
    await passkeys.add(uid, known, 3)
    expect(await passkeys.add(uid, { ...known, name: 'again' }, 3)).toBe('taken')
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => passkeys.add(uid, newPasskey(), 3)))
    expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(2)
    expect(outcomes.filter((outcome) => outcome === 'full')).toHaveLength(3)
    expect(await passkeys.list(uid)).toContainEqual(known)
  })

  it('removes one once, only from its own account, which makes room for another', async () => {
    const [uid, one] = [randomUUID(), newPasskey()]
    await passkeys.add(uid, one, 1)
    expect(await passkeys.remove(randomUUID(), one.id)).toBe(false)
    expect([await passkeys.remove(uid, one.id), await passkeys.remove(uid, one.id)]).toEqual([true, false])
    expect(await passkeys.list(uid)).toEqual([])
    expect(await passkeys.add(uid, newPasskey(), 1)).toBe('added')
  })

  it.each<[before: number, after: number, isNoted: boolean]>([
    [0, 0, true],
    [0, 1, true],
    [5, 6, true],
    [5, 5, false],
    [5, 4, false],
    [5, 0, false],
  ])('Y03 notes after the counter %i the counter %i: %s', async (before, after, isNoted) => {
    const [uid, one] = [randomUUID(), newPasskey({ signCount: before })]
    await passkeys.add(uid, one, 10)
    expect(await passkeys.noteUse(uid, one.id, after, USED)).toBe(isNoted)
    expect(await passkeys.list(uid)).toEqual([isNoted ? { ...one, signCount: after, lastUsedAt: USED } : one])
  })

  it('notes no use of a removed one', async () => {
    const uid = randomUUID()
    expect(await passkeys.noteUse(uid, newPasskey().id, 1, USED)).toBe(false)
    expect(await passkeys.list(uid)).toEqual([])
  })
})

const CHALLENGES = fakeAnd<ChallengeStore>(
  () => new MemoryChallenges(),
  (documents) => dynamoChallengeStore(documents, TABLES.sessions),
)

describe.each(CHALLENGES)('%s as a store of challenges', (_, open) => {
  const challenges = open()
  const newChallenge = (key: string = randomUUID()) => ({ key, text: randomUUID(), expiresAt: EXPIRY })

  it('Y02 returns the last one of a key to one of several parallel callers', async () => {
    const [first, last] = [newChallenge('session 1'), newChallenge('session 1')]
    await challenges.put(first)
    await challenges.put(last)
    const taken = await Promise.all(Array.from({ length: 20 }, () => challenges.take(last.key)))
    expect(taken.filter((one) => one !== undefined)).toEqual([last])
  })
})

describe('passkeys and challenges beside sessions and users', () => {
  const store = startedStore()

  it('a challenge is not a session', async () => {
    const challenge = { key: randomUUID(), text: 'x', expiresAt: EXPIRY }
    await dynamoChallengeStore(store.documents, TABLES.sessions).put(challenge)
    const sessions = dynamoSessionStore(store.documents, TABLES.sessions)
    for (const key of [challenge.key, challenge.text]) expect(await sessions.find(key)).toBeUndefined()
  })

  it('Y04 the passkeys of a user are deleted with the user, and those of others stay', async () => {
    const users = dynamoUserAdministration(store.documents, TABLES)
    const passkeys = dynamoPasskeyStore(store.documents, TABLES.passkeys)
    const [id, other] = [randomUUID(), randomUUID()]
    const common = { passwordHash: 'none', roles: ['ROLE_USER' as const], enabled: true, createdAt: CREATED }
    const user = { id, username: `u-${id}`, ...common }
    await users.add(user)
    for (const uid of [id, other]) await passkeys.add(uid, newPasskey(), 10)
    expect(await users.remove(user)).toBe('written')
    expect([await passkeys.list(id), (await passkeys.list(other)).length]).toEqual([[], 1])
  })
})
