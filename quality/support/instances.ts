import { type AdapterProcess, startAdapter } from '../../test/support/adapter-process.ts'
import { type EmulatedStore, emulatedStore, TABLES } from '../../test/support/emulated-store.ts'
import { type EmulatedEngine, emulatedEngine } from '../../test/support/fan-out.ts'
import { addAdmin } from './accounts.ts'
import { adapterSettings } from './adapter-settings.ts'

/** Three containers of one stage, with emulators for all that they have of AWS. */
export interface Instances {
  readonly store: EmulatedStore
  readonly engine: EmulatedEngine
  readonly adapters: AdapterProcess[]
  stop(): Promise<void>
}

export async function threeInstances(): Promise<Instances> {
  const store = await emulatedStore('dynoxide')
  await addAdmin(store.documents, TABLES.users)
  const engine = await emulatedEngine()
  await engine.start()
  await engine.makeTopics()
  const adapters = await Promise.all([1, 2, 3].map(() => startAdapter(adapterSettings(engine))))
  return {
    store,
    engine,
    adapters,
    async stop() {
      for (const { child } of adapters) child.kill('SIGKILL')
      await engine.stop()
      await store.stop()
    },
  }
}
