/** What is due at a second, earlier seconds first. */
interface Agenda<T> {
  add(second: number, entry: T): void
  /** Hands out what is due by then, one at a time; what is not asked for stays. */
  dueBy(second: number): Generator<T>
  readonly size: number
}

export function agendaOf<T>(): Agenda<T> {
  const entries = new Map<number, T[]>()
  let next = 0
  let size = 0

  return {
    get size() {
      return size
    },
    add(second, entry) {
      const others = entries.get(second)
      if (others) others.push(entry)
      else entries.set(second, [entry])
      next = size === 0 ? second : Math.min(next, second)
      size += 1
    },
    *dueBy(second) {
      while (size > 0 && next <= second) {
        const at = next
        const due = entries.get(at) ?? []
        // From the end, which moves no other entry.
        for (let entry = due.pop(); entry !== undefined; entry = due.pop()) {
          size -= 1
          yield entry
        }
        entries.delete(at)
        if (next === at) next += 1
      }
    },
  }
}

/** First in, first out, without moving the others each time. */
export function lineOf<T>() {
  let entries: T[] = []
  let start = 0
  return {
    push: (entry: T) => void entries.push(entry),
    length: () => entries.length - start,
    first: (): T | undefined => entries[start],
    shift() {
      start += 1
      if (start < 10_000) return
      entries = entries.slice(start)
      start = 0
    },
  }
}
