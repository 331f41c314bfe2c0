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
    // Named by its content: a deployment that changes nothing finds the same address in the parent, and ends.
    keyOf: (folder, template) => `${dirname(folder)}/queries/${hashOf(template)}.json`,
  },
]

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
