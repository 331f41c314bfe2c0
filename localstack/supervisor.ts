import process, { env, exit, stderr } from 'node:process'

/** A part of a run. */
export interface RunPart {
  readonly name: string
  /** Settles when the part has ended, for any reason. */
  readonly ended: Promise<unknown>
  stop(): Promise<unknown>
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The interval between checks that the parent still lives, in milliseconds. */
const GLANCE = 500

/** How long to wait for a part to end, in milliseconds; after that it ends with this process. */
const PATIENCE = 5000

/** Keeps the parts of a run together: all run until a signal comes, and when one ends, all end. */
export class Supervisor {
  readonly #parts: RunPart[] = []
  readonly #log: string
  #isStopping = false

  /** @param log the file to name when a part ends by itself */
  constructor(log: string) {
    this.#log = log
    for (const signal of SIGNALS) process.on(signal, () => void this.stop(0))
    // A run in the background of a shell should outlive the shell, but a run of npm should not outlive npm.
    if (env['npm_lifecycle_event']) this.#followParent()
  }

  /** Adds a part; parts stop in the order in which they were added. */
  add(part: RunPart): void {
    this.#parts.push(part)
    void part.ended.then(() => {
      if (!this.#isStopping) void this.stop(1, `${part.name} ended unexpectedly; ${this.#log} has the reason.`)
    })
  }

  #followParent(): void {
    const parent = process.ppid
    setInterval(() => {
      if (process.ppid !== parent) void this.stop(0)
    }, GLANCE).unref()
  }

  /** Stops all parts once, even if called repeatedly, and ends the process. */
  async stop(code: number, message?: string): Promise<void> {
    if (this.#isStopping) return
    this.#isStopping = true
    if (message !== undefined) stderr.write(`${message}\n`)
    setTimeout(() => exit(code), PATIENCE)
    for (const part of this.#parts) await part.stop()
    exit(code)
  }
}
