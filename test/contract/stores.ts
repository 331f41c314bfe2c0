import { afterAll, beforeAll } from 'vitest'
import type { Documents } from '../../lib/adapters/dynamodb/table.ts'
import type { Clock } from '../../lib/runtime/time.ts'
import { type EmulatedStore, ENGINE, emulatedStore } from '../support/emulated-store.ts'

/**
 * The emulated store of a file, or of a group of tests: it is there from the first of them to the last. A file has one at
 * a time, because a client finds it by the environment.
 */
export function startedStore(engine = ENGINE, clock?: Clock): EmulatedStore {
  const store = {} as EmulatedStore
  beforeAll(async () => void Object.assign(store, await emulatedStore(engine, clock)))
  afterAll(() => store.stop())
  return store
}

/** A contract is kept by the fake of the unit tests, and by what is deployed. */
export function fakeAnd<S extends object>(
  fake: () => S,
  deployed: (documents: Documents) => S | Promise<S>,
): readonly (readonly [string, () => S])[] {
  const onEngine = () => {
    const store = startedStore()
    const stores = {} as S
    beforeAll(async () => void Object.assign(stores, await deployed(store.documents)))
    return stores
  }
  return [
    ['the fake', fake],
    [ENGINE, onEngine],
  ]
}
