import { containerGrants, type GrantTable, grantsOf } from '../../../infra/iam/grants.ts'
import { roleOf, statementsOf } from '../../../infra/iam/role.ts'
import * as groups from '../../../lib/contract/grants.ts'
import type { Destination } from '../../../lib/deliver/destination.ts'
import { containerRole } from '../adapter-service.ts'
import { allowedBy, type Calls, isAllowed, type Role, type Statement } from '../allowed.ts'
import { CONTAINER, type RecordedCall } from './recording.ts'

/** What a stage allows its functions, and the container besides what its template says. */
export interface Granted {
  readonly functions: GrantTable
  readonly container: readonly Statement[]
}

/** What a stage with such destinations allows. */
export function grantedWith(destinations: readonly Destination[]): Granted {
  return { functions: grantsOf(destinations), container: statementsOf(containerGrants(destinations)) }
}

/**
 * Calls that the role of their caller does not allow, in words. The engine gives each deployed function its grants, so a
 * function without any is one of the local run.
 */
export function notGranted(calls: readonly RecordedCall[], granted: Granted): readonly string[] {
  const deployed = calls.filter(({ by }) => by === CONTAINER || Object.hasOwn(granted.functions, by))
  return inWords(deployed.filter((call) => !isGranted(call, granted)))
}

function isGranted(call: RecordedCall, { functions, container }: Granted): boolean {
  const { by, resource } = call
  if (by !== CONTAINER) return isAllowed(roleWith(functions[by] ?? []), call)
  const places = [resource, `${resource}.Arn`, resource.replace(/^\w+Table/, '{$&.Arn}')]
  return places.some((place) => isAllowed(containerRole(container), { ...call, resource: place }))
}

function roleWith(grants: readonly groups.Grants[]): Role {
  return roleOf({ logGroup: 'OwnLogGroup', secrets: 'gatehouse/prod', grants })
}

function allowedWith(grants: readonly groups.Grants[]): Calls {
  return allowedBy(roleWith(grants))
}

function rightsOfContainer(more: Granted['container']): Calls {
  const rights = Object.entries(allowedBy(containerRole(more)))
  return Object.fromEntries(rights.map(([arn, actions]) => [arn.replaceAll(/[{}]|\.Arn/g, ''), actions]))
}

/** Rights of functions that no recorded call used, in words. */
export interface Unused {
  /** Of a group of grants that several functions share: none of them used it. */
  readonly shared: readonly string[]
  /** Of one function. */
  readonly own: readonly string[]
}

const SHARED: ReadonlySet<unknown> = new Set(Object.values(groups).flat())

/** Logs and traces are written without their code, and Lambda itself reads the queues. */
const NOT_THEIRS = /^(?:logs|xray):|^sqs:(?:DeleteMessage|GetQueueAttributes|ReceiveMessage)$/
const SECRETS = /^secretsmanager:/

/** @param kind only deployed functions read secrets, which those of a local run have in their environment */
export function unusedByFunctions(
  calls: readonly RecordedCall[],
  kind: 'secrets' | 'others',
  { functions }: Granted,
): Unused {
  const held = Object.entries(functions).flatMap(([by, grants]) => grants.map((grant) => ({ by, grant })))
  const unused = [...Map.groupBy(held, ({ grant }) => grant)].flatMap(([grant, holders]) => {
    const names = holders.map(({ by }) => by)
    const isUsed = usedIn(calls.filter(({ by }) => names.includes(by)))
    const rights = pairsIn(allowedWith([grant])).filter(
      ({ action }) => !NOT_THEIRS.test(action) && SECRETS.test(action) === (kind === 'secrets'),
    )
    return rights.filter((right) => !isUsed(right)).map((right) => ({ grant, by: names.join(', '), ...right }))
  })
  const { shared = [], own = [] } = Object.groupBy(unused, ({ grant }) => (SHARED.has(grant) ? 'shared' : 'own'))
  return { shared: inWords(shared), own: inWords(own) }
}

/** Rights of one function that it did not use, in words; also of the secrets. */
export function unusedBy(by: string, calls: readonly RecordedCall[], { functions }: Granted): readonly string[] {
  const isUsed = usedIn(calls.filter((call) => call.by === by))
  const rights = pairsIn(allowedWith(functions[by] ?? [])).filter(({ action }) => !NOT_THEIRS.test(action))
  return inWords(rights.filter((right) => !isUsed(right)).map((right) => ({ by, ...right })))
}

/** Rights of the container that no recorded call used, in words. */
export function unusedByContainer(calls: readonly RecordedCall[], { container }: Granted): readonly string[] {
  const isUsed = usedIn(calls.filter(({ by }) => by === CONTAINER))
  const rights = pairsIn(rightsOfContainer(container)).filter(({ action }) => !SECRETS.test(action))
  return inWords(rights.filter((right) => !isUsed(right)).map((right) => ({ by: CONTAINER, ...right })))
}

type Right = Pick<RecordedCall, 'action' | 'resource'>

function pairsIn(rights: Calls): readonly Right[] {
  const pairs = Object.entries(rights).flatMap(([resource, actions]) => actions.map((action) => ({ action, resource })))
  return pairs.filter(({ action }) => !action.startsWith('Deny '))
}

function usedIn(calls: readonly Right[]) {
  return ({ action, resource }: Right) => calls.some((call) => call.action === action && call.resource === resource)
}

function inWords(calls: readonly RecordedCall[]): readonly string[] {
  const touching = ({ attributes }: RecordedCall) => (attributes ? `, touching ${attributes.join(', ')}` : '')
  return [...new Set(calls.map((call) => `${call.by}: ${call.action} on ${call.resource}${touching(call)}`))].sort()
}
