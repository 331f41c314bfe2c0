/**
 * Waits until all of them have ended, whether well or not. `Promise.all` returns at the first failure and leaves the others
 * running, and Lambda freezes a process as soon as its handler has returned.
 * @returns their values, in order
 * @throws what the first of them failed with
 */
export async function ended<T extends readonly unknown[] | []>(work: T) {
  await Promise.allSettled(work)
  return Promise.all(work)
}
