import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AwsCall } from './aws-request.ts'

/** Who calls where it is no function. */
export const CONTAINER = 'container'

export interface RecordedCall extends AwsCall {
  /** A function by its name in serverless.yml, or the container. */
  readonly by: string
}

/** The environment of processes that write their calls into a file. */
export function recordingTo(file: string): { readonly NODE_OPTIONS: string; readonly RECORDED_CALLS: string } {
  return { NODE_OPTIONS: `--import=${join(import.meta.dirname, 'record-calls.ts')}`, RECORDED_CALLS: file }
}

/** Each call once per process. */
export function recordedIn(file: string): readonly RecordedCall[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  return lines.filter(Boolean).map((line) => JSON.parse(line))
}
