/**
 * Calls `done` with what the work comes to, or `failed` with what is thrown in either of them; at once unless the work is a
 * promise, so that a call whose token is known waits for none.
 */
export function whenSettled<T>(
  work: () => T | Promise<T>,
  done: (value: T) => void,
  failed: (error: unknown) => void,
): void {
  try {
    const outcome = work()
    if (outcome instanceof Promise) void outcome.then(done).catch(failed)
    else done(outcome)
  } catch (error) {
    failed(error)
  }
}
