import { stderr } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import type { RunPart } from './supervisor.ts'

/** A part on its way up. */
export interface Starting {
  readonly part: RunPart
  /** Settles when it answers, or when it has ended. */
  readonly up: Promise<void>
}

/** A part that ends this often in a row without ever answering is broken. */
const MAXIMUM_FAILURES = 3

/** Before another start, in milliseconds: what ended it may come again at once. */
const PAUSE = 200

/** Starts a part, and starts it again whenever it ends by itself; ends when it is stopped, or broken. */
export function keepRunning(start: () => Starting): Starting {
  let current = start()
  let isStopping = false
  const { name } = current.part
  const up = Promise.withResolvers<void>()

  /** Whether it answered before it ended. */
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
