import { parentPort, workerData } from 'node:worker_threads'
import type { Share } from '../support/cores.ts'
import type { KindName } from './kinds.ts'
import { type Seeds, simulate } from './simulate.ts'

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
