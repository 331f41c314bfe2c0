import process, { env, exit, stderr } from 'node:process'

/** One of the things that a run consists of. */
export interface RunPart {
  readonly name: string
  /** Settles when the part is gone, for whatever reason. */
  readonly ended: Promise<unknown>
  stop(): Promise<unknown>
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** How often to look whether the parent is still there, in milliseconds. */
const GLANCE = 500

/** A part that does not end in this time, in milliseconds, is left to end with us. */
const PATIENCE = 5000

/** Keeps the parts of a run together: all stay until a signal comes, and none outlives another. */
export class Supervisor {
  readonly #parts: RunPart[] = []
  readonly #log: string
  #isStopping = false

  /** @param log the file to point at when a part ends by itself */
  constructor(log: string) {
    this.#log = log
    for (const signal of SIGNALS) process.on(signal, () => void this.stop(0))
    // A run in the background of a shell is meant to outlive the shell, but one of npm's is not to outlive npm.
    if (env['npm_lifecycle_event']) this.#followParent()
  }

  /** The part that is added first is stopped first. */
  add(part: RunPart): void {
    this.#parts.push(part)
    void part.ended.then(() => {
      if (!this.#isStopping) void this.stop(1, `${part.name} ended unexpectedly; ${this.#log} tells why.`)
    })
  }

  #followParent(): void {
    const parent = process.ppid
    setInterval(() => {
      if (process.ppid !== parent) void this.stop(0)
    }, GLANCE).unref()
  }

  /** Stops everything once, however often it is called, and ends the process. */
  async stop(code: number, message?: string): Promise<void> {
    if (this.#isStopping) return
    this.#isStopping = true
    if (message !== undefined) stderr.write(`${message}\n`)
    setTimeout(() => exit(code), PATIENCE)
    for (const part of this.#parts) await part.stop()
    exit(code)
  }
}
