import { stderr } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { ADAPTER, problemOf } from '../../infra/build.ts'
import type { Starting } from '../keep-running.ts'
import type { RunPart } from '../supervisor.ts'
import { builderOf, candidates } from './bundle.ts'
import { keepCurrent } from './keep-current.ts'

/** The interval between looks at the sources, in milliseconds. */
const GLANCE = 500

/**
 * Starts the process of the channels, and starts it again when its sources give other code. While sources cannot be
 * built, the running process stays.
 * @param start starts a bundle of it
 */
export function startCurrent(name: string, start: (bundle: string) => Starting): Starting {
  const build = builderOf(ADAPTER)
  const current = keepCurrent(candidates, async () => {
    const built = await build()
    return { value: built, files: built.files }
  })
  const stopping = new AbortController()
  const up = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  let running: { readonly code: string; readonly part: RunPart } | undefined
  let isStopping = false
  let problem: string | undefined
  let glances = 0

  async function takeOver(): Promise<void> {
    const { code, write } = await current()
    problem = undefined
    if (code === running?.code) return
    isStopping = true
    await running?.part.stop()
    await running?.part.ended
    if (stopping.signal.aborted) return
    isStopping = false
    const { part, up: isUp } = start(write())
    running = { code, part }
    void part.ended.then(() => {
      if (!isStopping) tell(`${name} does not start; the next change of its sources starts it again.`)
    })
    await isUp
  }

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      await takeOver().catch((error: unknown) => complain(problemOf(error)))
      up.resolve()
      await setTimeout(GLANCE, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  /** Reports a problem once, if a second look finds it too: a checkout removes files for a moment. */
  function complain(found: string): void {
    glances = found === problem ? glances + 1 : 1
    problem = found
    if (glances === 2) tell(found)
  }

  void follow()
  return {
    up: up.promise,
    part: {
      name,
      ended: ended.promise,
      async stop() {
        stopping.abort()
        isStopping = true
        await running?.part.stop()
        ended.resolve()
      },
    },
  }
}

function tell(text: string): void {
  stderr.write(`${text}\n`)
}
