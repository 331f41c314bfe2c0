import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AwsCall } from './aws-request.ts'

/** Who calls where it is no function. */
export const CONTAINER = 'container'

export interface RecordedCall extends AwsCall {
  /** A function by its name in serverless.yml, or the container. */
  readonly by: string
}

/** The environment of processes that write their calls into a file; functions have no variables but their own. */
export function recordingTo(file: string): { readonly NODE_OPTIONS: string } {
  const module = pathToFileURL(join(import.meta.dirname, 'record-calls.ts'))
  module.searchParams.set('file', file)
  return { NODE_OPTIONS: `--import=${module.href}` }
}

/** Each call once per process. */
export function recordedIn(file: string): readonly RecordedCall[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  return lines.filter(Boolean).map((line) => JSON.parse(line))
}
