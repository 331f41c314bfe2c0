import type { Resource } from '../../../localstack/provision/resources.ts'
import type { AccessLine } from '../../../localstack/strict/gateway.ts'
import type { Alarm } from '../cloudwatch/alarm.ts'
import { isFiltered, pointsIn } from '../cloudwatch/emf.ts'
import type { LogLine } from '../cloudwatch/insights.ts'
import { type Point, stateOf } from '../cloudwatch/watched.ts'
import { CONCURRENCY } from './account.ts'
import type { AwsProxy } from './aws-proxy.ts'

/** What Lambda writes before a line for the console: time, id of the call and level. */
const PREFIX = /^\d{4}-\S+Z\t\S*\t[A-Z]+\t/

interface Transformation {
  readonly MetricNamespace: string
  readonly MetricName: string
  readonly MetricValue: string
}

export type Observed = ReturnType<typeof observed>

/** What CloudWatch is told of a stage, and what the alarms of its template make of that. */
export function observed(resources: Readonly<Record<string, Resource>>, service: string) {
  const lines: LogLine[] = []
  const points: Point[] = []
  let throttled = 0

  const propertiesOf = (id: string) => resources[id]?.Properties ?? {}

  /** The name of a resource, or else of what stands for it here. */
  function nameOf(reference: unknown): string {
    if (typeof reference === 'string') return reference
    const path = String(
      Object.values(reference as object)
        .flat()
        .join('.'),
    )
    const { FunctionName, QueueName } = propertiesOf(path.split('.', 1)[0] ?? '')
    return String(FunctionName ?? QueueName ?? path)
  }

  function loggingOf(functionName: string): { readonly LogGroup?: string } {
    const found = Object.values(resources).find(({ Properties }) => Properties?.['FunctionName'] === functionName)
    return found?.Properties?.['LoggingConfig'] ?? {}
  }

  function publish(namespace: string, name: string, dimensions: Point['dimensions'], value: number, at = Date.now()) {
    points.push({ namespace, name, dimensions, value, at })
  }

  function alarmOf(suffix: string): Alarm {
    const found = Object.values(resources).find(
      ({ Properties }) => Properties?.['AlarmName'] === `${service}-${suffix}`,
    )
    if (found === undefined) throw new Error(`the template has no alarm ${suffix}`)
    return found.Properties as unknown as Alarm
  }

  function filter(message: string): void {
    const filters = Object.values(resources).filter(({ Type }) => Type === 'AWS::Logs::MetricFilter')
    for (const { Properties } of filters) {
      if (!isFiltered(String(Properties?.['FilterPattern']), message)) continue
      for (const made of (Properties?.['MetricTransformations'] ?? []) as readonly Transformation[]) {
        publish(made.MetricNamespace, made.MetricName, {}, Number(made.MetricValue))
      }
    }
  }

  return {
    lines,
    publish,
    propertiesOf,
    /** Takes a line that a function printed; metrics are in it only if it is JSON and nothing else. */
    print(line: string, functionName: string): void {
      points.push(...pointsIn(line))
      const { LogGroup = '' } = loggingOf(functionName)
      const stream = `2026/01/01/${functionName}[$LATEST][0]`
      lines.push({ group: LogGroup, stream, at: Date.now(), message: line.replace(PREFIX, '') })
    },
    /** Counts what Lambda publishes of a call, of the function and of all. */
    publishCall(metric: string, functionName: string): void {
      publish('AWS/Lambda', metric, { FunctionName: functionName }, 1)
      publish('AWS/Lambda', metric, {}, 1)
    },
    /** Takes a call of the HTTP API, in the format of the stage's access log. */
    logAccess(line: AccessLine): void {
      const { Format } = propertiesOf('HttpApiStage')['AccessLogSettings'] as { readonly Format: string }
      const message = Format.replaceAll(/\$context\.(\w+(?:\.\w+)?)/g, (_, name) => line[name as keyof AccessLine])
      lines.push({ group: `/aws/vendedlogs/http-api/${service}`, stream: '', at: Date.now(), message })
      const dimensions = { ApiId: nameOf({ Ref: 'HttpApi' }) }
      publish('AWS/ApiGateway', 'Count', dimensions, 1)
      publish('AWS/ApiGateway', '5xx', dimensions, Number(Number(line.status) >= 500))
      publish('AWS/ApiGateway', 'Latency', dimensions, Number(line.responseLatency))
      filter(message)
    },
    /** Counts the requests that a table turned away. */
    publishThrottled({ refused }: AwsProxy): void {
      for (const { operation, body, fault, at } of refused.slice(throttled)) {
        const tables = fault === 'throttles' ? body.matchAll(/"TableName":"([^"]+)"/g) : []
        for (const [, TableName = ''] of tables) {
          publish('AWS/DynamoDB', 'ThrottledRequests', { Operation: operation, TableName }, 1, at)
        }
      }
      throttled = refused.length
    },
    stateOf: (suffix: string) => stateOf(alarmOf(suffix), { points, now: Date.now(), nameOf, quota: CONCURRENCY }),
  }
}
