import type { Grants } from '../lib/endpoints/grants.ts'
import { logicalIdOf } from './logical-id.ts'

/** The part of the deployment engine with the resources of the stack. */
export interface SecretFiltersEngine {
  readonly service: { readonly resources: { readonly Resources: Record<string, unknown> } }
}

interface Filter {
  readonly Type: string
  readonly Properties: object
}

/** The filter that resources/alarms.yml defines for the container's log. */
const MODEL = 'AdapterSecretsUnreadFilter'

/** Adds the same filter to the log of each function that reads secrets. @param grants what each function may do */
export function addSecretFilters(
  { service: { resources } }: SecretFiltersEngine,
  grants: Readonly<Record<string, readonly Grants[]>>,
): void {
  const { Type, Properties } = resources.Resources[MODEL] as Filter
  const readers = Object.keys(grants).filter((name) => JSON.stringify(grants[name]).includes('"secret/'))
  for (const name of readers) {
    const id = logicalIdOf(name)
    resources.Resources[`${id}SecretsUnreadFilter`] = {
      Type,
      Properties: { ...Properties, LogGroupName: { Ref: `${id}LogGroup` } },
    }
  }
}
