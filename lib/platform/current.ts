/** Something that may have been replaced at the next look. */
export interface Current<T> {
  readonly current: T
}

/** What is made of a value: at once, and anew whenever the value was replaced. */
export function madeOf<T, U>(source: Current<T>, make: (value: T) => U): Current<U> {
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
