import { moduleFile } from '../../../infra/project.ts'
import type { DataFolder } from '../data-folder.ts'
import { keepRunning, type Starting, startThread } from '../parts.ts'

const SERVER = moduleFile('localstack/stack/directory/server')

/** Starts the demo directory, and restarts it if a malformed packet ends it. */
export function startDirectory(port: number, { log }: DataFolder, file?: string): Starting {
  return keepRunning(() => startThread('The directory', SERVER, { port, file }, log.descriptor))
}
