import type { Destination } from '../../lib/deliver/destination.ts'
import { containerGrants } from '../iam/grants.ts'
import { statementsOf } from '../iam/role.ts'

/** The role of the companion container, as ../adapter/service.yml has it. */
export interface TaskRole {
  readonly Properties: { readonly Policies: unknown[] }
}

/** Lets the companion container wake deliveries and test destinations; the secrets it may read anyway. */
export function allowDestinations(
  { Properties: { Policies: policies } }: TaskRole,
  destinations: readonly Destination[],
) {
  const Statement = statementsOf(containerGrants(destinations))
  policies.push({ PolicyName: 'destinations', PolicyDocument: { Version: '2012-10-17', Statement } })
}
