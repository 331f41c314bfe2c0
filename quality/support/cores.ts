import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

/** One core's part of a work: every `of`-th piece, from the `index`-th on. */
export interface Share {
  readonly index: number
  readonly of: number
}

/**
 * Runs a module once on every core; each is given the data and its share, and posts one message with what came of it.
 * @throws whatever one of them throws
 */
export async function onEveryCore<R>(module: URL, data: object): Promise<readonly R[]> {
  const of = availableParallelism()
  return Promise.all(
    Array.from({ length: of }, async (_, index) => {
      const share: Share = { index, of }
      const worker = new Worker(module, { workerData: { ...data, share } })
      const [result] = await once(worker, 'message')
      return result as R
    }),
  )
}
