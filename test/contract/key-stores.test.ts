import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dynamoKeyAdministration } from '../../lib/adapters/dynamodb/key-administration.ts'
import { dynamoKeyReader } from '../../lib/adapters/dynamodb/key-reader.ts'
import type { ApiKey, KeyAdministration, KeyReader } from '../../lib/auth/keys/api-key.ts'
import { ENGINE, emulatedStore, TABLES } from '../support/emulated-store.ts'
import { MemoryKeys, newApiKey } from '../support/fakes/keys.ts'

interface Stores {
  readonly reader: KeyReader
  readonly administration: KeyAdministration
  stop(): Promise<void>
}

const IMPLEMENTATIONS: readonly (readonly [string, () => Promise<Stores>])[] = [
  ['the fake', async () => withFake(new MemoryKeys())],
  [ENGINE, () => emulated(ENGINE)],
]

function withFake(keys: MemoryKeys): Stores {
  return { reader: keys, administration: keys, stop: async () => {} }
}

async function emulated(engine: Parameters<typeof emulatedStore>[0]): Promise<Stores> {
  const { documents, stop } = await emulatedStore(engine)
  return {
    reader: dynamoKeyReader(documents, TABLES.keys),
    administration: dynamoKeyAdministration(documents, TABLES.keys),
    stop,
  }
}

/** Far enough away that no table clears a key away during a test. */
const END = new Date('2100-01-01T00:00:00.000Z')
const USED = new Date('2026-01-02T03:04:05.678Z')
const LATER = new Date('2026-01-02T03:09:05.678Z')

describe.each(IMPLEMENTATIONS)('%s as a store of API keys', (_, start) => {
  let stores: Stores

  beforeAll(async () => {
    stores = await start()
  })
  afterAll(() => stores.stop())

  async function add(changes: Partial<ApiKey> = {}): Promise<ApiKey> {
    const { key } = newApiKey({ expiresAt: END, ...changes })
    await stores.administration.add(key)
    return key
  }

  it('finds one by its id, to the millisecond', async () => {
    const key = await add({ sources: ['stripe', 'github'], name: `Lager ${randomUUID()} ä` })
    expect(await stores.reader.find(key.id)).toEqual(key)
  })

  it('finds one for all sources', async () => {
    const key = await add()
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

  it('removes one, and returns whether it existed', async () => {
    const [gone, other] = [await add(), await add()]
    expect(await stores.administration.remove(gone.id)).toBe(true)
    expect(await stores.administration.remove(gone.id)).toBe(false)
    expect(await stores.reader.find(gone.id)).toBeUndefined()
    expect(await stores.reader.find(other.id)).toEqual(other)
  })

  it('reports to only one of several parallel callers that it removed the key', async () => {
    const { id } = await add()
    const removed = await Promise.all(Array.from({ length: 20 }, () => stores.administration.remove(id)))
    expect(removed.filter(Boolean)).toHaveLength(1)
  })

  it('lists them from a position on, the newest first', async () => {
    const [one, two, three] = [await add(), await add(), await add()]
    expect(await stores.administration.list(2, undefined)).toEqual([three, two])
    expect((await stores.administration.list(200, three?.id)).slice(0, 2)).toEqual([two, one])
    expect(await stores.administration.list(200, '0000000000000')).toEqual([])
  })
})
