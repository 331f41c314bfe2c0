interface Entry {
  readonly time: number
  readonly act: () => void
}

/** Enough for the code under test to go from one answer to its next call, through all its awaits. */
const MICROTASKS = 30

/** Virtual time: acts happen in the order of their times, one after the other, and nothing waits for a real clock. */
export class Scheduler {
  /** Milliseconds since the epoch. */
  now: number
  /** The last one comes first; of one time, the one that was put there first. */
  readonly #entries: Entry[] = []

  constructor(start: Date) {
    this.now = start.getTime()
  }

  after(milliseconds: number, act: () => void): void {
    const time = this.now + milliseconds
    const place = this.#entries.findLastIndex((entry) => entry.time > time)
    this.#entries.splice(place + 1, 0, { time, act })
  }

  /** Acts until nothing is left, or until it is told that all is over. */
  async run(isOver: () => boolean): Promise<void> {
    for (let entry = this.#entries.pop(); entry && !isOver(); entry = this.#entries.pop()) {
      this.now = entry.time
      entry.act()
      for (let tick = 0; tick < MICROTASKS; tick++) await null
    }
  }
}
