/** A value that can be replaced while the process runs; read `current` at each use. */
export interface Current<T> {
  readonly current: T
}

/** A value computed from another one, and computed again whenever that one was replaced. */
export function derived<T, U>(source: Current<T>, make: (value: T) => U): Current<U> {
  let value = source.current
  let made = make(value)
  return {
    get current() {
      if (source.current !== value) {
        value = source.current
        made = make(value)
      }
      return made
    },
  }
}
