interface Entry {
  readonly time: number
  readonly order: number
  readonly act: () => void
}

/** Enough for the code under test to go from one answer to its next call, through all its awaits. */
const MICROTASKS = 30

/** Virtual time: acts happen in the order of their times, one after the other, and nothing waits for a real clock. */
export class Scheduler {
  /** Milliseconds since the epoch. */
  now: number
  readonly #heap: Entry[] = []
  #count = 0

  constructor(start: Date) {
    this.now = start.getTime()
  }

  after(milliseconds: number, act: () => void): void {
    const entry = { time: this.now + milliseconds, order: this.#count++, act }
    this.#heap.push(entry)
    this.#rise(this.#heap.length - 1)
  }

  /** Acts until nothing is left, or until it is told that all is over. */
  async run(isOver: () => boolean): Promise<void> {
    for (let entry = this.#take(); entry && !isOver(); entry = this.#take()) {
      this.now = entry.time
      entry.act()
      for (let tick = 0; tick < MICROTASKS; tick++) await null
    }
  }

  #take(): Entry | undefined {
    const [first] = this.#heap
    const last = this.#heap.pop()
    if (first === undefined || last === undefined || first === last) return first
    this.#heap[0] = last
    this.#sink()
    return first
  }

  #rise(from: number): void {
    let index = from
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!this.#swapIfLater(parent, index)) return
      index = parent
    }
  }

  #sink(): void {
    let index = 0
    for (;;) {
      const [left, right] = [2 * index + 1, 2 * index + 2]
      const child = right < this.#heap.length && this.#isLater(left, right) ? right : left
      if (child >= this.#heap.length || !this.#swapIfLater(index, child)) return
      index = child
    }
  }

  #isLater(one: number, other: number): boolean {
    const [a, b] = [this.#heap[one], this.#heap[other]]
    return a !== undefined && b !== undefined && (a.time > b.time || (a.time === b.time && a.order > b.order))
  }

  #swapIfLater(parent: number, child: number): boolean {
    const [above, below] = [this.#heap[parent], this.#heap[child]]
    if (above === undefined || below === undefined || !this.#isLater(parent, child)) return false
    this.#heap[parent] = below
    this.#heap[child] = above
    return true
  }
}
