import { parentPort, workerData } from 'node:worker_threads'
import type { KindName } from '../../test/simulation/kinds.ts'
import { type Seeds, simulate } from '../../test/simulation/simulate.ts'
import type { Share } from '../support/cores.ts'

/** So many worlds of a kind. */
export interface Batch {
  readonly kind: KindName
  readonly seeds: Seeds
}

const { batches, share } = workerData as { readonly batches: readonly Batch[]; readonly share: Share }

const lived = []
for (const { kind, seeds } of batches) {
  const { first, count } = seeds
  const own = { first: first + share.index, count: count - share.index, step: share.of }
  lived.push({ kind, ...(await simulate(kind, own)) })
}
parentPort?.postMessage(lived)
