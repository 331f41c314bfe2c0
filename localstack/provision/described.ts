import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { promisify } from 'node:util'
import type { Properties } from './provider.ts'
import type { Resource } from './resources.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The part of serverless.yml that describes the resources to create. */
export interface DescribedService {
  /** What all names begin with, before the stage. */
  readonly service: string
  readonly resources: { readonly Resources: Readonly<Record<string, Resource>> }
  readonly provider: { readonly environment: Properties }
}

/** serverless.yml on the local stage, its variables resolved by the deployment engine in an environment. */
export async function describedService(environment: NodeJS.ProcessEnv = env): Promise<DescribedService> {
  const engine = join(ROOT, 'node_modules/serverless/bin/serverless.js')
  const { stdout } = await promisify(execFile)(execPath, [engine, 'print', '--stage', 'local', '--format', 'json'], {
    cwd: ROOT,
    env: { ...environment, SLS_LOG_LEVEL: 'error' },
    maxBuffer: 10_000_000,
  })
  return JSON.parse(stdout)
}
