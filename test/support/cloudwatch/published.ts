import { type Named, ofType, type Template } from '../template/template.ts'
import type { Metric } from './search.ts'

/** What AWS and we publish of each resource of a type, by what its metrics are told apart. */
const PUBLISHED: Readonly<
  Record<string, (resource: Named, nameOf: (reference: string) => string) => readonly Metric[]>
> = {
  'AWS::Lambda::Function': ({ name }, nameOf) =>
    each('AWS/Lambda', ['Invocations', 'Errors', 'Duration', 'Throttles'], { FunctionName: nameOf(name) }),
  'AWS::Logs::LogGroup': ({ name }, nameOf) =>
    each('AWS/Logs', ['IncomingBytes', 'IncomingLogEvents'], { LogGroupName: nameOf(name) }),
  'AWS::SQS::Queue': ({ name }, nameOf) =>
    each('AWS/SQS', ['ApproximateNumberOfMessagesVisible', 'NumberOfMessagesSent'], {
      QueueName: nameOf(`${name}.QueueName`),
    }),
  'AWS::DynamoDB::Table': ({ name, Properties: { GlobalSecondaryIndexes: indexes = [] } }, nameOf) => {
    const units = ['ConsumedReadCapacityUnits', 'ConsumedWriteCapacityUnits']
    const table = { TableName: nameOf(name) }
    return [
      ...each('AWS/DynamoDB', units, table),
      ...(indexes as readonly { readonly IndexName: string }[]).flatMap(({ IndexName }) =>
        each('AWS/DynamoDB', units, { ...table, GlobalSecondaryIndexName: IndexName }),
      ),
    ]
  },
  'AWS::ApiGatewayV2::Api': ({ name }, nameOf) =>
    each('AWS/ApiGateway', ['Count', 'Latency', '4xx', '5xx'], { ApiId: nameOf(name) }),
  'AWS::ECS::Service': ({ name }, nameOf) =>
    each('AWS/ECS', ['CPUUtilization', 'MemoryUtilization'], {
      ClusterName: nameOf('AdapterCluster'),
      ServiceName: nameOf(`${name}.Name`),
    }),
  'AWS::ElasticLoadBalancingV2::LoadBalancer': ({ name }, nameOf) =>
    each('AWS/ApplicationELB', ['RequestCount', 'ActiveConnectionCount', 'HTTPCode_ELB_5XX_Count'], {
      LoadBalancer: nameOf(`${name}.LoadBalancerFullName`),
    }),
  'AWS::ElasticLoadBalancingV2::TargetGroup': ({ name }, nameOf) =>
    each('AWS/ApplicationELB', ['HealthyHostCount', 'UnHealthyHostCount'], {
      LoadBalancer: nameOf('AdapterLoadBalancer.LoadBalancerFullName'),
      TargetGroup: nameOf(`${name}.TargetGroupFullName`),
    }),
}

/** The numbers of docs/operations.md. */
const OWN = ['Accepted', 'Duplicate', 'Processed', 'Failed', 'Dead', 'Replayed', 'OldestDueAge', 'LoopStopped']
const OF_THE_SERVICE = ['LoginFailed', 'LoginThrottled', 'LimiterFailure', 'UnknownKey', 'AnnouncementLost', 'Refused']
const OF_THE_CONTAINER = [
  'Sessions',
  'PlacesTaken',
  'Streams',
  'MessagesDelivered',
  'ChannelRefused',
  'SlowClients',
  'WatchLag',
]

/** The metrics that there are of a deployed template. */
export function publishedBy(template: Template, service: string, nameOf: (reference: string) => string) {
  const ofResources = Object.entries(PUBLISHED).flatMap(([type, metricsOf]) =>
    ofType(template, type).flatMap((resource) => metricsOf(resource, nameOf)),
  )
  return [
    ...ofResources,
    ...each('Gatehouse', [...OWN, ...OF_THE_SERVICE, ...OF_THE_CONTAINER], { service }),
    ...each('Gatehouse', OWN, { service, source: 'payment' }),
    ...each('Gatehouse', ['Refused'], { service, source: 'payment', reason: 'wrong-signature' }),
  ]
}

function each(namespace: string, names: readonly string[], dimensions: Metric['dimensions']): readonly Metric[] {
  return names.map((name) => ({ namespace, name, dimensions }))
}
