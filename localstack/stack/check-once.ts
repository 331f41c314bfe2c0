import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { digestOf, stampOf } from '../../infra/builds.ts'
import { CACHE, isPackaged } from '../../infra/project.ts'

/** serverless.yml, the files that it includes, and the version of the engine. */
const DESCRIPTION = ['serverless.yml', 'infra/**/*.yml', 'package-lock.json']

const STAMP = join(CACHE, 'checked-description')

/** The part of the deployment engine that validates serverless.yml against the engine's schema. */
export interface SchemaEngine {
  readonly configSchemaHandler: { validateConfig(configuration: object): Promise<void> }
}

/** Whether the description has already passed: the file `stamp` holds its digest. That of the package has. */
export function isChecked(stamp = STAMP, files = DESCRIPTION): boolean {
  return isPackaged || stampOf(stamp) === digestOf(globSync(files))
}

/**
 * Skips the validation of a description that has already passed: the schema is a program of 8 MB, a fifth of a start.
 */
export function checkOnce({ configSchemaHandler: schema }: SchemaEngine, stamp = STAMP, files = DESCRIPTION): void {
  const check = schema.validateConfig.bind(schema)
  schema.validateConfig = async (configuration) => {
    if (isChecked(stamp, files)) return
    const digest = digestOf(globSync(files))
    await check(configuration)
    mkdirSync(dirname(stamp), { recursive: true })
    writeFileSync(stamp, digest)
  }
}
