import { join } from 'node:path'
import { execPath } from 'node:process'
import type { DataFolder } from '../data-folder.ts'
import { answers } from '../emulators/dynamodb.ts'
import { startTethered } from '../emulators/tethered.ts'
import { keepRunning, type Starting } from '../keep-running.ts'

const SERVER = join(import.meta.dirname, 'server.ts')

/** Starts the demo directory, and restarts it if a malformed packet ends it. */
export function startDirectory(port: number, { log }: DataFolder): Starting {
  return keepRunning(() => {
    const part = startTethered('The directory', [execPath, SERVER, `${port}`], log.descriptor)
    return { part, up: answers(port, part) }
  })
}
