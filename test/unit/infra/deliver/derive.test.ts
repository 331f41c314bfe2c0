// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the body of the dashboard stands here as text
import { describe, expect, it } from 'vitest'
import { addDestinations, type DeriveEngine } from '../../../../infra/deliver/derive.ts'
import { deliveryFunctions, deliveryQueues, type StackResources } from '../../../../infra/deliver/resources.ts'
import { deliverQueueOf } from '../../../../infra/names.ts'
import type { DestinationConfig, GatehouseConfig } from '../../../../lib/config.ts'
import { destinationsIn, EACH_KIND, handlerIn } from '../../../support/destinations.ts'

const ACTIONS = { 'Fn::If': ['HasAlarmTopic', ['arn'], { Ref: 'AWS::NoValue' }] }
const MODEL = {
  Namespace: 'Gatehouse',
  MetricName: 'Dead',
  Statistic: 'Sum',
  Period: 300,
  EvaluationPeriods: 1,
  Threshold: 0,
  ComparisonOperator: 'GreaterThanThreshold',
  TreatMissingData: 'notBreaching',
  AlarmActions: ACTIONS,
}
const BODY = '{ "widgets": [ { "alarms": [ "${DeadEventsAlarm.Arn}"${ContainerAlarm} ] }${ContainerWidget} ] }'

/** What the stack gets for destinations. */
function derived(
  configured: Readonly<Record<string, DestinationConfig>> = EACH_KIND,
  sources: GatehouseConfig['sources'] = {},
) {
  const body: [string, object] = [BODY, {}]
  const given = {
    DeadEventsAlarm: { Type: 'AWS::CloudWatch::Alarm', Properties: MODEL },
    ScanSilentAlarm: { Type: 'AWS::CloudWatch::Alarm', Properties: MODEL },
    AdapterTaskRole: { Type: 'AWS::IAM::Role', Properties: { Policies: [] as unknown[] } },
    Dashboard: { Type: 'AWS::CloudWatch::Dashboard', Properties: { DashboardBody: { 'Fn::Sub': body } } },
  }
  const extensions: Record<string, unknown> = {}
  const service = {
    service: 'gatehouse',
    provider: { environment: { STAGE: 'prod' } },
    functions: {} as Record<string, unknown>,
    resources: { Resources: { ...given } as Record<string, unknown>, extensions },
  } satisfies DeriveEngine['service']
  addDestinations({ service }, destinationsIn(configured), sources)
  const resources = Object.entries(service.resources.Resources).filter(([id]) => !Object.hasOwn(given, id))
  return {
    functions: service.functions,
    resources: Object.fromEntries(resources) as StackResources,
    extensions,
    dashboard: body[0],
    policies: given.AdapterTaskRole.Properties.Policies,
  }
}

it('no widget of the dashboard has more than 100 alarms', () => {
  const alarms = { deadAfter: 1 }
  const many = Array.from({ length: 25 }, (_, index) => [`d${index}`, { ...EACH_KIND.bus, alarms }])
  const expectEvery = '1h'
  const silent = Array.from({ length: 60 }, (_, index) => [`s${index}`, { preset: 'stripe', expectEvery }])
  const { dashboard } = derived(Object.fromEntries(many), Object.fromEntries(silent))
  const { widgets } = JSON.parse(dashboard.replace('${ContainerAlarm}', '').replace('${ContainerWidget}', ''))
  const shown = widgets.filter(({ type }: { type?: string }) => type === 'alarm')
  expect(shown.map(({ properties }: { properties: { alarms: object } }) => properties.alarms)).toMatchObject({
    length: 2,
    0: { length: 100 },
    1: { length: 10 },
  })
})

it('without destinations, the stack contains none of their resources', () => {
  expect(derived({})).toEqual({ functions: {}, resources: {}, extensions: {}, dashboard: BODY, policies: [] })
})

describe('destinations', () => {
  const { functions, resources, extensions, dashboard, policies } = derived()

  it('share a function, which reads each queue one message at a time, and as many at once as configured for it', () => {
    expect(Object.keys(functions)).toEqual(['deliver', 'deliveryScan'])
    const mapping = (queue: string, maximumConcurrency: number) => ({
      sqs: {
        arn: { 'Fn::GetAtt': [queue, 'Arn'] },
        batchSize: 1,
        maximumConcurrency,
        functionResponseType: 'ReportBatchItemFailures',
      },
    })
    expect(functions['deliver']).toEqual({
      name: 'gatehouse-prod-deliver',
      handler: 'dist/jobs/deliver/index.handler',
      package: { patterns: ['dist/jobs/deliver/**'] },
      timeout: 60,
      events: [mapping('DeliverCrmEuQueue', 7), mapping('DeliverLedgerQueue', 5), mapping('DeliverBusQueue', 5)],
    })
  })

  it('are scanned every minute', () => {
    expect(functions['deliveryScan']).toMatchObject({
      handler: 'dist/jobs/delivery-scan/index.handler',
      events: [{ schedule: { rate: ['rate(1 minute)'] } }],
    })
  })

  it.each(['crm-eu', 'ledger', 'bus'])(
    '%s has a queue, whose messages stay hidden for six runs and end after an hour',
    (name) => {
      expect(resources[deliverQueueOf(name)]).toEqual({
        Type: 'AWS::SQS::Queue',
        Properties: {
          QueueName: `gatehouse-prod-deliver-${name}`,
          VisibilityTimeout: 360,
          MessageRetentionPeriod: 3600,
          SqsManagedSseEnabled: true,
        },
      })
    },
  )

  it('are reached over TLS only', () => {
    const queues = Object.keys(resources)
      .filter((id) => id.endsWith('Queue'))
      .map((id) => ({ Ref: id }))
    expect(queues).toHaveLength(3)
    expect(resources['DeliveryQueuesPolicy']).toMatchObject({
      Properties: {
        Queues: queues,
        PolicyDocument: { Statement: [{ Effect: 'Deny', Principal: '*', Action: 'sqs:*' }] },
      },
    })
  })

  it('are used and tested by the companion container as well', () => {
    const allowed = (Action: string, resource: unknown) => ({ Effect: 'Allow', Action: [Action], Resource: [resource] })
    const queues = ['DeliverCrmEuQueue', 'DeliverLedgerQueue', 'DeliverBusQueue']
    const Statement = [
      ...queues.map((queue) => allowed('sqs:SendMessage', { 'Fn::GetAtt': [queue, 'Arn'] })),
      allowed('sqs:SendMessage', EACH_KIND.ledger.queue),
      allowed('events:PutEvents', EACH_KIND.bus.bus),
    ]
    expect(policies).toEqual([{ PolicyName: 'destinations', PolicyDocument: { Version: '2012-10-17', Statement } }])
  })

  it('may be sent the next message by the function that reads it', () => {
    expect(extensions).toEqual({ DeliverLambdaFunction: { Properties: { RecursiveLoop: 'Allow' } } })
  })

  const alarms = Object.entries(resources).filter(([id]) => id.endsWith('Alarm')) as unknown as [
    string,
    { Properties: { AlarmName: string; AlarmDescription: string; MetricName: string } },
  ][]

  const SERVICE = { Name: 'service', Value: 'gatehouse-prod' }

  it('have two alarms together', () => {
    expect(alarms.map(([id]) => id)).toEqual(['DeliveryDeadAlarm', 'DeliveryOldestAlarm'])
    expect(resources['DeliveryDeadAlarm']?.Properties).toEqual({
      ...MODEL,
      MetricName: 'DeadDeliveries',
      AlarmName: 'gatehouse-prod-dead-deliveries',
      AlarmDescription: expect.any(String),
      Dimensions: [SERVICE],
    })
    expect(resources['DeliveryOldestAlarm']?.Properties).toMatchObject({
      AlarmName: 'gatehouse-prod-oldest-delivery',
      ...{ MetricName: 'OldestDeliveryAge', Statistic: 'Maximum', Period: 3600, Threshold: 4_200_000 },
      Dimensions: [SERVICE],
      AlarmActions: ACTIONS,
    })
  })

  it('may have two alarms of their own in their place, or none', () => {
    const topic = 'arn:aws:sns:eu-central-1:123456789012:crm-team'
    const own = { ...EACH_KIND['crm-eu'], alarms: { deadAfter: 10, oldestMinutes: 5, topic } }
    const quiet = { ...EACH_KIND.bus, alarms: false } as const
    const alarmsOf = (configured: Readonly<Record<string, DestinationConfig>>): StackResources =>
      Object.fromEntries(Object.entries(derived(configured).resources).filter(([id]) => id.endsWith('Alarm')))
    const { DeliverCrmEuDeadAlarm: dead, DeliverCrmEuOldestAlarm: oldest, ...rest } = alarmsOf({ 'crm-eu': own, quiet })
    expect(rest).toEqual({})
    const at = { Dimensions: [SERVICE, { Name: 'destination', Value: 'crm-eu' }], AlarmActions: [topic] }
    const name = 'gatehouse-prod-dead-deliveries-crm-eu'
    expect(dead?.Properties).toMatchObject({ AlarmName: name, Period: 3600, Threshold: 9, ...at })
    expect(oldest?.Properties).toMatchObject({ Period: 300, Threshold: 300_000, ...at })
    const both = Object.keys(alarmsOf({ 'crm-eu': { ...own, alarms: {} }, ledger: EACH_KIND.ledger }))
    expect(both).toEqual([
      ...['DeliveryDeadAlarm', 'DeliveryOldestAlarm'],
      ...['DeliverCrmEuDeadAlarm', 'DeliverCrmEuOldestAlarm'],
    ])
  })

  it('are on the dashboard with their alarms, their waiting deliveries and their results', () => {
    const { widgets } = JSON.parse(dashboard.replace('${ContainerAlarm}', '').replace('${ContainerWidget}', ''))
    const [, waits, came, shown] = widgets
    expect(shown.properties.alarms).toEqual(
      alarms.map(
        ([, { Properties }]) =>
          `arn:\${AWS::Partition}:cloudwatch:\${AWS::Region}:\${AWS::AccountId}:alarm:${Properties.AlarmName}`,
      ),
    )
    expect(waits.properties.metrics).toContainEqual([
      'Gatehouse',
      'OldestDeliveryAge',
      'service',
      'gatehouse-prod',
      'destination',
      'crm-eu',
    ])
    expect(came.properties.metrics).toHaveLength(9)
  })
})

describe('a handler', () => {
  it('has a function with its own bundle, memory and time', () => {
    const { deliverShopOrderPaid } = deliveryFunctions(
      handlerIn({ timeoutSeconds: 300, memoryMegabytes: 1024 }),
      'gatehouse-prod',
    )
    expect(deliverShopOrderPaid).toMatchObject({
      name: 'gatehouse-prod-deliverShopOrderPaid',
      handler: 'dist/jobs/deliver/index.handler',
      package: { patterns: ['dist/jobs/deliver/**', 'dist/handlers/shop/order-paid/**'] },
      timeout: 310,
      memorySize: 1024,
    })
  })

  it('has a queue whose messages stay hidden for six times as long as its function runs', () => {
    const queues = deliveryQueues(handlerIn({ timeoutSeconds: 800 }), 'gatehouse-prod')
    expect(queues['DeliverShopOrderPaidQueue']?.Properties).toMatchObject({
      QueueName: 'gatehouse-prod-deliver-shop-order-paid',
      VisibilityTimeout: 4860,
    })
  })
})
