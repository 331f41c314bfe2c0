import { join } from 'node:path'
import { execPath } from 'node:process'
import type { DataFolder } from '../data-folder.ts'
import type { Starting } from '../keep-running.ts'
import { answers } from './dynamodb.ts'
import { startTethered } from './tethered.ts'

const SERVER = join(import.meta.dirname, 'sqs-server.ts')

/** Runs SQS in a process of its own. */
export function startSqsProcess(port: number, region: string, data: DataFolder, baseUrl: string): Starting {
  const command = [execPath, SERVER, `${port}`, region, data.path('sqs') ?? '', baseUrl]
  const part = startTethered('SQS', command, data.log.descriptor)
  return { part, up: answers(port, part) }
}
