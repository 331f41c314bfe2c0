/** A cache of the entries that were used last (LRU). */
export interface Recent<V> {
  get(key: string): V | undefined
  /** Beyond the maximum, the entry is dropped that was used longest ago. */
  set(key: string, value: V): void
  delete(key: string): void
}

export function createRecent<V>(maximum: number): Recent<V> {
  const entries = new Map<string, V>()

  function set(key: string, value: V): void {
    entries.delete(key)
    entries.set(key, value)
    if (entries.size > maximum) entries.delete(entries.keys().next().value ?? key)
  }

  return {
    get(key) {
      const value = entries.get(key)
      if (value !== undefined) set(key, value)
      return value
    },
    set,
    delete: (key) => void entries.delete(key),
  }
}

/** Runs `make` once, at the first call, and keeps its result; after a failure the next call tries again. */
export function memoizeAsync<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((error) => {
      made = undefined
      throw error
    })
    return made
  }
}
