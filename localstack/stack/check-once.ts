import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { digestOf, stampOf } from '../../infra/builds.ts'

/** serverless.yml, the files that it includes, and the version of the engine. */
const DESCRIPTION = ['serverless.yml', 'infra/**/*.yml', 'package-lock.json']

const STAMP = 'node_modules/.cache/gatehouse/checked-description'

/** The part of the deployment engine that validates serverless.yml against the engine's schema. */
export interface SchemaEngine {
  readonly configSchemaHandler: { validateConfig(configuration: object): Promise<void> }
}

/** Whether the description has already passed. */
export const isChecked = (): boolean => isUnchanged(globSync(DESCRIPTION), STAMP)

/**
 * Skips the validation of a description that has already passed: the schema is a program of 8 MB, a fifth of a start.
 */
export function checkOnce({ configSchemaHandler: schema }: SchemaEngine, stamp = STAMP): void {
  const check = schema.validateConfig.bind(schema)
  schema.validateConfig = (configuration) => unlessUnchanged(globSync(DESCRIPTION), stamp, () => check(configuration))
}

/** Whether the work was done for the same files; the file `stamp` holds their digest. */
function isUnchanged(files: readonly string[], stamp: string): boolean {
  return stampOf(stamp) === digestOf(files)
}

/** Does the work, unless it was done for the same files. */
export async function unlessUnchanged(
  files: readonly string[],
  stamp: string,
  work: () => Promise<unknown>,
): Promise<void> {
  if (isUnchanged(files, stamp)) return
  const digest = digestOf(files)
  await work()
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, digest)
}
