import { createHash } from 'node:crypto'
import { dirname } from 'node:path'
import { DESTINATIONS_STACK, isOfDestinations } from './deliver/names.ts'

/** A stack within that of the stage. Which resources it has is a rule on their logical ids (docs/decisions/0027-nested-stacks.md). */
export interface NestedStack {
  /** Its logical id. */
  readonly id: string
  /** The file of its template, among the packages. */
  readonly file: string
  readonly holds: (logicalId: string) => boolean
  /** Where its template is in the bucket. @param folder of the packages of this deployment */
  readonly keyOf: (folder: string, template: string) => string
}

/** The logical id of the nested stack of the saved queries. */
export const QUERIES_STACK = 'QueriesStack'

/** Whether a resource, by its logical id, is a saved query. */
export function isSavedQuery(id: string): boolean {
  return /^SavedQuery[A-Z]/.test(id)
}

/** The logical id of the nested stack of the roles of functions. */
export const ROLES_STACK = 'RolesStack'

/**
 * Whether a resource, by its logical id, is the role of a function of the service. Not those of the HTTP API, which names
 * functions, and of the container: these functions and the nested stack would wait for each other.
 */
export function isFunctionRole(id: string): boolean {
  return /^(?!HttpApi|Adapter).*Role$/.test(id) && !isOfDestinations(id)
}

export const NESTED_STACKS: readonly NestedStack[] = [
  {
    id: DESTINATIONS_STACK,
    file: 'cloudformation-template-destinations.json',
    holds: isOfDestinations,
    keyOf: (folder) => `${folder}/cloudformation-template-destinations.json`,
  },
  {
    id: QUERIES_STACK,
    file: 'cloudformation-template-queries.json',
    holds: isSavedQuery,
    keyOf: (folder, template) => `${dirname(folder)}/queries/${hashOf(template)}.json`,
  },
  {
    id: ROLES_STACK,
    file: 'cloudformation-template-roles.json',
    holds: isFunctionRole,
    keyOf: (folder, template) => `${dirname(folder)}/roles/${hashOf(template)}.json`,
  },
]

/** A template named by its content: a deployment that changes nothing finds the same address in the parent, and ends. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
