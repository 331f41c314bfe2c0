import type { GatehouseConfig } from '../../lib/config.ts'
import type { Destination } from '../../lib/deliver/destination.ts'
import { containerGrants } from '../iam/grants.ts'
import { statementsOf } from '../iam/role.ts'
import { logicalIdOf, servingFunctionOf } from '../names.ts'
import { deliveryAlarms, silenceAlarms } from './alarms.ts'
import { type Dashboard, showAlarms, showDeliveries } from './dashboard.ts'
import { type DeclaredFunction, deliveryFunctions, deliveryQueues, type StackResource } from './resources.ts'

/** The part of the deployment engine with the functions of serverless.yml and the resources of its stack. */
export interface DeriveEngine {
  readonly service: {
    readonly service: string
    readonly provider: { readonly environment: Readonly<Record<string, unknown>> }
    readonly functions: Record<string, unknown>
    readonly resources: { readonly Resources: Record<string, unknown>; readonly extensions?: Record<string, unknown> }
  }
}

/** The alarms of resources/alarms.yml that those of destinations and of sources are made after: for the morning, and to wake. */
const [MODEL, WAKING_MODEL] = ['DeadEventsAlarm', 'ScanSilentAlarm']

/** Sends the next message to the queue that it reads, as those in resources/gateway.yml do. */
const FEEDS_ITSELF = { Properties: { RecursiveLoop: 'Allow' } }

/** Adds to the stack the functions, queues, rights, alarms and graphs of destinations, and the alarms of sources. */
export function addDestinations(
  { service }: DeriveEngine,
  destinations: readonly Destination[],
  sources: GatehouseConfig['sources'] = {},
): void {
  const prefix = `${service.service}-${service.provider.environment['STAGE']}`
  const { Resources: resources, extensions = {} } = service.resources
  const functions: Readonly<Record<string, DeclaredFunction>> = deliveryFunctions(destinations, prefix)
  const alarms = {
    ...deliveryAlarms(destinations, prefix, resources[MODEL] as StackResource),
    ...silenceAlarms(sources, prefix, resources[WAKING_MODEL] as StackResource),
  }
  if (destinations.length > 0) allowDestinations(resources['AdapterTaskRole'] as TaskRole, destinations)
  Object.assign(service.functions, functions)
  Object.assign(resources, deliveryQueues(destinations, prefix), alarms)
  for (const name of destinations.map(servingFunctionOf))
    extensions[`${logicalIdOf(name)}LambdaFunction`] = FEEDS_ITSELF
  showDeliveries(resources['Dashboard'] as Dashboard, { destinations, service: prefix })
  showAlarms(
    resources['Dashboard'] as Dashboard,
    Object.values(alarms).map(({ Properties }) => String(Properties['AlarmName'])),
  )
}

/** The role of the companion container, as ../adapter/service.yml has it. */
interface TaskRole {
  readonly Properties: { readonly Policies: unknown[] }
}

/** Lets the companion container wake deliveries and test destinations; the secrets it may read anyway. */
function allowDestinations({ Properties: { Policies: policies } }: TaskRole, destinations: readonly Destination[]) {
  const Statement = statementsOf(containerGrants(destinations))
  policies.push({ PolicyName: 'destinations', PolicyDocument: { Version: '2012-10-17', Statement } })
}
