import { join } from 'node:path'
import { execPath } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import type { DataFolder } from '../data-folder.ts'
import { answers } from '../emulators/dynamodb.ts'
import { startTethered } from '../emulators/tethered.ts'
import type { Part } from '../supervisor.ts'

const SERVER = join(import.meta.dirname, 'server.ts')

/** A directory that ends this often before it ever answered is broken. */
const MAXIMUM_FAILURES = 3

/** Before another start, in milliseconds: what ended it may be sent again at once. */
const PAUSE = 200

/** Starts the demo directory, and starts it again whenever it ends by itself. */
export function startDirectory(port: number, { log }: DataFolder): { part: Part; up: Promise<void> } {
  let current: Part | undefined
  let isStopping = false
  let isUp = false

  async function keepRunning(): Promise<void> {
    let failures = 0
    while (!isStopping && failures < MAXIMUM_FAILURES) {
      current = startTethered('The directory', [execPath, SERVER, `${port}`], log.descriptor)
      await current.ended
      if (!isUp) failures += 1
      if (!isStopping) await setTimeout(PAUSE)
    }
  }

  const part: Part = {
    name: 'The directory',
    ended: keepRunning(),
    async stop() {
      isStopping = true
      await current?.stop()
    },
  }
  const up = answers(port, part).then(() => {
    isUp = true
  })
  return { part, up }
}
