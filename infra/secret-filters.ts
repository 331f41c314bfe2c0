import { GRANTS } from './iam/grants.ts'
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

/** Adds the same filter to the log of each function that reads secrets. */
export function addSecretFilters({ service: { resources } }: SecretFiltersEngine): void {
  const { Type, Properties } = resources.Resources[MODEL] as Filter
  const readers = Object.keys(GRANTS).filter((name) => JSON.stringify(GRANTS[name]).includes('"secret/'))
  for (const name of readers) {
    const id = logicalIdOf(name)
    resources.Resources[`${id}SecretsUnreadFilter`] = {
      Type,
      Properties: { ...Properties, LogGroupName: { Ref: `${id}LogGroup` } },
    }
  }
}
