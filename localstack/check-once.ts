import { globSync } from 'node:fs'
import { isUnchanged, unlessUnchanged } from './unless-unchanged.ts'

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
