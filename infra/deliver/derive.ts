import type { Destination } from '../../lib/deliver/destination.ts'
import type { Dashboard } from '../dashboard.ts'
import { logicalIdOf } from '../logical-id.ts'
import { deliveryAlarms } from './alarms.ts'
import { allowDestinations, type TaskRole } from './container.ts'
import { showDeliveries } from './dashboard.ts'
import { type DeclaredFunction, deliveryFunctions } from './functions.ts'
import { deliverFunctionOf } from './names.ts'
import { deliveryQueues, type StackResource } from './resources.ts'

/** The part of the deployment engine with the functions of serverless.yml and the resources of its stack. */
export interface DeriveEngine {
  readonly service: {
    readonly service: string
    readonly provider: { readonly environment: Readonly<Record<string, unknown>> }
    readonly functions: Record<string, unknown>
    readonly resources: { readonly Resources: Record<string, unknown>; readonly extensions?: Record<string, unknown> }
  }
}

/** The alarm of resources/alarms.yml that those of destinations are made after. */
const MODEL = 'DeadEventsAlarm'

/** Sends the next message to the queue that it reads, as those in resources/gateway.yml do. */
const FEEDS_ITSELF = { Properties: { RecursiveLoop: 'Allow' } }

/** Adds the functions, queues, rights, alarms and graphs of destinations to the stack; nothing without destinations. */
export function addDestinations({ service }: DeriveEngine, destinations: readonly Destination[]): void {
  const prefix = `${service.service}-${service.provider.environment['STAGE']}`
  const { Resources: resources, extensions = {} } = service.resources
  const functions: Readonly<Record<string, DeclaredFunction>> = deliveryFunctions(destinations, prefix)
  const alarms = deliveryAlarms(destinations, prefix, resources[MODEL] as StackResource)
  if (destinations.length > 0) allowDestinations(resources['AdapterTaskRole'] as TaskRole, destinations)
  Object.assign(service.functions, functions)
  Object.assign(resources, deliveryQueues(destinations, prefix), alarms)
  const names = destinations.map(({ name }) => `${logicalIdOf(deliverFunctionOf(name))}LambdaFunction`)
  for (const name of names) extensions[name] = FEEDS_ITSELF
  const alarmNames = Object.values(alarms).map(({ Properties }) => String(Properties['AlarmName']))
  showDeliveries(resources['Dashboard'] as Dashboard, { destinations, service: prefix, alarms: alarmNames })
}
