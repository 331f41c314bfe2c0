import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { env } from 'node:process'
import { digestOf } from '../../../infra/digest.ts'
import type { LocalRunEngine } from '../../../localstack/prepare-run.ts'
import { describedService } from '../../../localstack/provision/described.ts'

/** What the description of the service is made from. */
const SOURCES = ['serverless.yml', 'infra/**/*.{ts,mjs,yml}', 'lib/{deliver,endpoints}/**/*.ts', 'package-lock.json']

const CACHE = 'node_modules/.cache/gatehouse/service'

/**
 * serverless.yml with its variables resolved, which takes seconds: it is kept until a source has changed. It has no setting
 * of this run.
 */
export async function resolvedService(): Promise<LocalRunEngine['service']> {
  const digest = digestOf(globSync(SOURCES))
  const kept = read()
  if (kept?.digest === digest) return kept.service
  const service = (await describedService({
    PATH: env['PATH'],
    HOME: env['HOME'],
  })) as unknown as LocalRunEngine['service']
  writeFileSync(CACHE, JSON.stringify({ digest, service }))
  return service
}

function read(): { readonly digest: string; readonly service: LocalRunEngine['service'] } | undefined {
  try {
    return JSON.parse(readFileSync(CACHE, 'utf8'))
  } catch {
    return undefined
  }
}
