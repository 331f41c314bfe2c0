import { env } from 'node:process'
import { describedService } from '../../../localstack/commands/provision.ts'
import type { LocalRunEngine } from '../../../localstack/stack/prepare-run.ts'
import { kept } from './kept.ts'

type Service = LocalRunEngine['service']

const SOURCES = [
  'serverless.yml',
  'stages/*.yml',
  'infra/**/*.{ts,mjs,yml}',
  'lib/**/*.ts',
  'gatehouse.config.ts',
  'handlers/**/*.*',
  'package-lock.json',
]

/** serverless.yml with its variables resolved, without any setting of this run. */
export function resolvedService(): Promise<Service> {
  const bare = { PATH: env['PATH'], HOME: env['HOME'] }
  return kept('service', SOURCES, async () => (await describedService(bare)) as unknown as Service)
}
