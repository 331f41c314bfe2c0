import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { dynamoKeyAdministration, dynamoKeyReader } from '../../lib/adapters/dynamodb/keys.ts'
import type { ApiKey, KeyAdministration, KeyReader } from '../../lib/auth/keys/api-key.ts'
import { TABLES } from '../support/emulated-store.ts'
import { MemoryKeys, newApiKey } from '../support/fakes/keys.ts'
import { fakeAnd } from './stores.ts'

interface Stores {
  readonly reader: KeyReader
  readonly administration: KeyAdministration
}

const STORES = fakeAnd<Stores>(
  () => {
    const keys = new MemoryKeys()
    return { reader: keys, administration: keys }
  },
  (documents) => ({
    reader: dynamoKeyReader(documents, TABLES.keys),
    administration: dynamoKeyAdministration(documents, TABLES.keys),
  }),
)

/** Far enough away that no table clears a key away during a test. */
const END = new Date('2100-01-01T00:00:00.000Z')
const USED = new Date('2026-01-02T03:04:05.678Z')
const LATER = new Date('2026-01-02T03:09:05.678Z')

describe.each(STORES)('%s as a store of API keys', (_, open) => {
  const stores = open()

  async function add(changes: Partial<ApiKey> = {}): Promise<ApiKey> {
    const { key } = newApiKey({ expiresAt: END, ...changes })
    await stores.administration.add(key)
    return key
  }

  it('finds one by its id, to the millisecond', async () => {
    const key = await add({ sources: ['stripe', 'github'], name: `Lager ${randomUUID()} ä` })
    expect(await stores.reader.find(key.id)).toEqual(key)
  })

  it('finds no other', async () => {
    expect(await stores.reader.find('zzzzzzzzzzzzz')).toBeUndefined()
  })

  it('refuses a second one with the same id', async () => {
    const key = await add()
    await expect(stores.administration.add({ ...key, name: 'other' })).rejects.toThrow('the id of a new key is taken')
    expect(await stores.reader.find(key.id)).toEqual(key)
  })

  it('notes the use of one, and changes nothing else of it', async () => {
    const key = await add()
    await stores.reader.noteUse(key.id, USED, new Date(0))
    expect(await stores.reader.find(key.id)).toEqual({ ...key, lastUsedAt: USED })
    await stores.reader.noteUse(key.id, LATER, USED)
    expect(await stores.reader.find(key.id)).toEqual({ ...key, lastUsedAt: LATER })
  })

  it('notes no use that another process has noted since', async () => {
    const key = await add({ lastUsedAt: undefined })
    await stores.reader.noteUse(key.id, LATER, USED)
    await stores.reader.noteUse(key.id, new Date(LATER.getTime() + 1), USED)
    expect((await stores.reader.find(key.id))?.lastUsedAt).toEqual(LATER)
  })

  it('does not restore one by noting its use', async () => {
    const { id } = await add()
    await stores.administration.remove(id)
    await stores.reader.noteUse(id, USED, new Date(0))
    expect(await stores.reader.find(id)).toBeUndefined()
  })

  it('removes one, and no other, and reports that to only one of several parallel callers', async () => {
    const [{ id }, other] = [await add(), await add()]
    const removed = await Promise.all(Array.from({ length: 20 }, () => stores.administration.remove(id)))
    expect(removed.filter(Boolean)).toHaveLength(1)
    expect(await stores.reader.find(id)).toBeUndefined()
    expect(await stores.reader.find(other.id)).toEqual(other)
  })

  it('lists them from a position on, the newest first', async () => {
    const [one, two, three] = [await add(), await add(), await add()]
    expect(await stores.administration.list(2, undefined)).toEqual([three, two])
    expect((await stores.administration.list(200, three?.id)).slice(0, 2)).toEqual([two, one])
    expect(await stores.administration.list(200, '0000000000000')).toEqual([])
  })
})
