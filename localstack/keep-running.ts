import { stderr } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import type { RunPart } from './supervisor.ts'

/** A part that is starting. */
export interface Starting {
  readonly part: RunPart
  /** Settles when the part answers, or when it has ended. */
  readonly up: Promise<void>
}

/** A part that ends this often in a row without answering is considered broken. */
const MAXIMUM_FAILURES = 3

/** The pause before a restart, in milliseconds: the cause of the end may recur at once. */
const PAUSE = 200

/** Starts a part, and restarts it whenever it ends by itself, until it is stopped or broken. */
export function keepRunning(start: () => Starting): Starting {
  let current = start()
  let isStopping = false
  const { name } = current.part
  const up = Promise.withResolvers<void>()

  /** Whether the part answered before it ended. */
  async function live({ part, up: answers }: Starting): Promise<boolean> {
    const isUp = await Promise.race([part.ended.then(() => false), answers.then(() => true)])
    if (isUp) up.resolve()
    await part.ended
    return isUp
  }

  async function again(): Promise<void> {
    if (isStopping) return
    stderr.write(`${name} ended and is started again.\n`)
    await setTimeout(PAUSE)
    if (!isStopping) current = start()
  }

  async function keep(): Promise<void> {
    let failures = 0
    while (!isStopping) {
      failures = (await live(current)) ? 0 : failures + 1
      if (failures === MAXIMUM_FAILURES) return
      await again()
    }
  }

  const part: RunPart = {
    name,
    ended: keep().finally(up.resolve),
    async stop() {
      isStopping = true
      await current.part.stop()
    },
  }
  return { part, up: up.promise }
}
