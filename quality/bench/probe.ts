import process, { exit } from 'node:process'

/** What a measured process tells of itself; started with `--expose-gc`. */
const ANSWERS = {
  /** Of all threads, the system's work for it included, in microseconds. */
  cpu() {
    const { user, system } = process.cpuUsage()
    return user + system
  },
  /** Bytes as they are. */
  memory: () => process.memoryUsage(),
  /** Bytes once the garbage is gone and free pages are given back: what lives, not what a burst made V8 reserve. */
  liveMemory() {
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    return process.memoryUsage()
  },
} as const satisfies Record<string, () => unknown>

export type Question = keyof typeof ANSWERS
export type Answer<Q extends Question> = ReturnType<(typeof ANSWERS)[Q]>

/** Tells who started the process where it listens, answers questions from then on, and ends with the one who asks. */
export function measureHere(port: number): void {
  process.on('message', (question: Question) => process.send?.(ANSWERS[question]()))
  process.once('disconnect', () => exit())
  process.send?.(port)
}
