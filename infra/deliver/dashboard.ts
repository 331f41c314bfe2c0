import type { Destination } from '../../lib/deliver/destination.ts'
import { type LoggingFunction, logGroupOf, type NamedService } from '../logs.ts'
import { logicalIdOf } from '../names.ts'

/** The part of the deployment engine with the functions of serverless.yml and the resources of its stack. */
export interface DashboardEngine {
  readonly service: NamedService & {
    readonly functions: Readonly<Record<string, LoggingFunction>>
    readonly resources: { readonly Resources: Record<string, unknown> }
  }
}

/** A dashboard whose body is put together by `Fn::Sub`. */
export interface Dashboard {
  readonly Properties: { readonly DashboardBody: { readonly 'Fn::Sub': [body: string, values: object] } }
}

/**
 * Replaces every line of the dashboard with a placeholder for functions by one line per function, and one with a placeholder
 * for logs by one line per log group.
 */
export function fillDashboard({ service }: DashboardEngine): void {
  const { functions, resources } = service
  const { Properties } = resources.Resources['Dashboard'] as Dashboard
  const sub = Properties.DashboardBody['Fn::Sub']
  const ids = Object.keys(functions).map((name) => `${logicalIdOf(name)}LambdaFunction`)
  const logs = [...new Set(Object.values(functions).map((declared) => logGroupOf(declared, service).id))]
  sub[0] = sub[0]
    .split('\n')
    .flatMap((line) => linesFor(line, /\$\{EachFunction\}/, ids))
    .flatMap((line) => linesFor(line, /\$\{EachLog\}/, logs))
    .join('\n')
}

function linesFor(line: string, placeholder: RegExp, ids: readonly string[]): readonly string[] {
  if (!placeholder.test(line)) return [line]
  return ids.map((id, number) =>
    line.replace(placeholder, () => `\${${id}}`).replace(/\$\{EachNumber\}/, String(number)),
  )
}

interface Shown {
  readonly destinations: readonly Pick<Destination, 'name'>[]
  /** The value of the dimension `service`. */
  readonly service: string
}

/** What one widget has at most (CloudWatch API reference, "Properties of an Alarm Status Widget Object"). */
const MOST_ALARMS = 100

/** Adds to the dashboard the age of waiting deliveries, and how deliveries ended. */
export function showDeliveries(dashboard: Dashboard, { destinations, service }: Shown): void {
  if (destinations.length === 0) return
  const names = destinations.map(({ name }) => name)
  const waits = names.map((name) => row('OldestDeliveryAge', service, name))
  const came = names.flatMap((name) =>
    ['Delivered', 'DeliveryFailed', 'DeadDeliveries'].map((metric) => row(metric, service, name)),
  )
  show(dashboard, [
    widget('What waits for destinations?', 0, 'Maximum', waits),
    widget('Results of deliveries', 12, 'Sum', came),
  ])
}

/** Adds the alarms of destinations and sources. @param names of the alarms */
export function showAlarms(dashboard: Dashboard, names: readonly string[]): void {
  show(dashboard, alarmWidgets(names))
}

function show({ Properties }: Dashboard, widgets: readonly string[]): void {
  const sub = Properties.DashboardBody['Fn::Sub']
  sub[0] = sub[0].replace(
    '${ContainerWidget}',
    () => `${widgets.map((text) => `,\n${text}`).join('')}\${ContainerWidget}`,
  )
}

/** Builds the ARNs from names: a nested stack has at most 200 outputs, and the ARN of each alarm would need one. */
function alarmWidgets(names: readonly string[]): readonly string[] {
  const arns = names.map((name) => `arn:\${AWS::Partition}:cloudwatch:\${AWS::Region}:\${AWS::AccountId}:alarm:${name}`)
  return Array.from({ length: Math.ceil(arns.length / MOST_ALARMS) }, (_, index) => {
    const alarms = arns.slice(index * MOST_ALARMS, (index + 1) * MOST_ALARMS)
    const properties = { title: 'Alarms of destinations and sources: docs/runbook.md', alarms }
    return JSON.stringify({ type: 'alarm', x: 0, y: 33 + 6 * index, width: 24, height: 6, properties })
  })
}

function row(metric: string, service: string, destination: string): readonly unknown[] {
  return ['Gatehouse', metric, 'service', service, 'destination', destination]
}

/** A widget below those of the service and of the container. */
function widget(title: string, x: number, stat: string, metrics: readonly (readonly unknown[])[]): string {
  const properties = { title, region: '${AWS::Region}', stat, period: 300, metrics }
  return JSON.stringify({ type: 'metric', x, y: 27, width: 12, height: 6, properties })
}
