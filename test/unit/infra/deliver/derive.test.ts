// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the body of the dashboard stands here as text
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { addDestinations, type DeriveEngine } from '../../../../infra/deliver/derive.ts'
import { deliveryFunctions } from '../../../../infra/deliver/functions.ts'
import { deliveryQueues } from '../../../../infra/deliver/resources.ts'
import type { DestinationConfig } from '../../../../lib/config.ts'
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
function derived(configured: Readonly<Record<string, DestinationConfig>> = EACH_KIND) {
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
  addDestinations({ service }, destinationsIn(configured))
  const resources = Object.entries(service.resources.Resources).filter(([id]) => !Object.hasOwn(given, id))
  return {
    functions: service.functions,
    resources: Object.fromEntries(resources),
    extensions,
    dashboard: body[0],
    policies: given.AdapterTaskRole.Properties.Policies,
  }
}

it('no widget of the dashboard has more than 100 alarms', () => {
  const many = Array.from({ length: 25 }, (_, index) => [`d${index}`, EACH_KIND.bus])
  const { dashboard } = derived(Object.fromEntries(many))
  const { widgets } = JSON.parse(dashboard.replace('${ContainerAlarm}', '').replace('${ContainerWidget}', ''))
  const shown = widgets.filter(({ type }: { type?: string }) => type === 'alarm')
  expect(shown.map(({ properties }: { properties: { alarms: object } }) => properties.alarms)).toMatchObject({
    length: 2,
    0: { length: 100 },
    1: { length: 25 },
  })
})

it('without destinations, the stack contains none of their resources', () => {
  expect(derived({})).toEqual({ functions: {}, resources: {}, extensions: {}, dashboard: BODY, policies: [] })
})

describe('each destination', () => {
  const { functions, resources, extensions, dashboard, policies } = derived()

  it('has its own function, which receives one message at a time and runs as many at once as configured', () => {
    expect(Object.keys(functions)).toEqual(['deliverCrmEu', 'deliverLedger', 'deliverBus', 'deliveryScan'])
    expect(functions['deliverCrmEu']).toEqual({
      name: 'gatehouse-prod-deliverCrmEu',
      handler: 'dist/jobs/deliver/index.handler',
      package: { patterns: ['dist/jobs/deliver/**'] },
      timeout: 60,
      events: [
        {
          sqs: {
            arn: { 'Fn::GetAtt': ['DeliverCrmEuQueue', 'Arn'] },
            batchSize: 1,
            maximumConcurrency: 7,
            functionResponseType: 'ReportBatchItemFailures',
          },
        },
      ],
    })
  })

  it('is scanned every minute', () => {
    expect(functions['deliveryScan']).toMatchObject({
      handler: 'dist/jobs/delivery-scan/index.handler',
      events: [{ schedule: { rate: ['rate(1 minute)'] } }],
    })
  })

  it('has a queue, whose messages stay hidden for six runs, and one for messages that fail five times', () => {
    expect(resources['DeliverCrmEuQueue']).toEqual({
      Type: 'AWS::SQS::Queue',
      Properties: {
        QueueName: 'gatehouse-prod-deliver-crm-eu',
        VisibilityTimeout: 360,
        MessageRetentionPeriod: 345_600,
        SqsManagedSseEnabled: true,
        RedrivePolicy: {
          deadLetterTargetArn: { 'Fn::GetAtt': ['DeliverCrmEuDeadLetterQueue', 'Arn'] },
          maxReceiveCount: 5,
        },
      },
    })
    expect(resources['DeliverCrmEuDeadLetterQueue']).toMatchObject({
      Properties: { QueueName: 'gatehouse-prod-deliver-crm-eu-dead', MessageRetentionPeriod: 1_209_600 },
    })
  })

  it('is reached over TLS only', () => {
    const queues = Object.keys(resources)
      .filter((id) => id.endsWith('Queue'))
      .map((id) => ({ Ref: id }))
    expect(queues).toHaveLength(6)
    expect(resources['DeliveryQueuesPolicy']).toMatchObject({
      Properties: {
        Queues: queues,
        PolicyDocument: { Statement: [{ Effect: 'Deny', Principal: '*', Action: 'sqs:*' }] },
      },
    })
  })

  it('is used and tested by the companion container as well', () => {
    const allowed = (Action: string, resource: unknown) => ({ Effect: 'Allow', Action: [Action], Resource: [resource] })
    const queues = ['DeliverCrmEuQueue', 'DeliverLedgerQueue', 'DeliverBusQueue']
    const Statement = [
      ...queues.map((queue) => allowed('sqs:SendMessage', { 'Fn::GetAtt': [queue, 'Arn'] })),
      allowed('sqs:SendMessage', EACH_KIND.ledger.queue),
      allowed('events:PutEvents', EACH_KIND.bus.bus),
    ]
    expect(policies).toEqual([{ PolicyName: 'destinations', PolicyDocument: { Version: '2012-10-17', Statement } }])
  })

  it('may send itself the next message', () => {
    expect(extensions).toEqual(
      Object.fromEntries(
        ['DeliverCrmEu', 'DeliverLedger', 'DeliverBus'].map((id) => [
          `${id}LambdaFunction`,
          { Properties: { RecursiveLoop: 'Allow' } },
        ]),
      ),
    )
  })

  const alarms = Object.entries(resources).filter(([id]) => id.endsWith('Alarm')) as unknown as [
    string,
    { Properties: { AlarmName: string; AlarmDescription: string; MetricName: string } },
  ][]

  it.each([
    ['DeliverCrmEuDeadAlarm', 'dead-deliveries', { MetricName: 'DeadDeliveries', Period: 300 }],
    ['DeliverCrmEuOldestAlarm', 'oldest-delivery', { MetricName: 'OldestDeliveryAge', Threshold: 4_200_000 }],
    ['DeliverCrmEuOpenAlarm', 'circuit-open', { MetricName: 'CircuitOpen', DatapointsToAlarm: 15 }],
    ['DeliverCrmEuDisabledAlarm', 'destination-disabled', { MetricName: 'DestinationDisabled' }],
  ])('has the alarm %s: %s', (id, suffix, looks) => {
    expect(resources[id]).toMatchObject({
      Type: 'AWS::CloudWatch::Alarm',
      Properties: {
        AlarmName: `gatehouse-prod-${suffix}-crm-eu`,
        Namespace: 'Gatehouse',
        Dimensions: [
          { Name: 'service', Value: 'gatehouse-prod' },
          { Name: 'destination', Value: 'crm-eu' },
        ],
        AlarmActions: ACTIONS,
        TreatMissingData: 'notBreaching',
        ...looks,
      },
    })
  })

  it('has an alarm for messages that failed five times in its function', () => {
    expect(resources['DeliverCrmEuDeadLetterAlarm']).toMatchObject({
      Properties: {
        Namespace: 'AWS/SQS',
        MetricName: 'ApproximateNumberOfMessagesVisible',
        Dimensions: [{ Name: 'QueueName', Value: { 'Fn::GetAtt': ['DeliverCrmEuDeadLetterQueue', 'QueueName'] } }],
      },
    })
  })

  it('has alarms that link to their sections of the runbook, and that use metrics of the code', () => {
    expect(alarms).toHaveLength(15)
    const counted = readFileSync('lib/runtime/metrics.ts', 'utf8')
    const runbook = readFileSync('docs/runbook.md', 'utf8')
    for (const [, { Properties: alarm }] of alarms) {
      const [, suffix = ''] = /^[A-Z].*, docs\/runbook\.md#([\w-]+)$/.exec(alarm.AlarmDescription) ?? []
      expect(alarm.AlarmName.startsWith(`gatehouse-prod-${suffix}-`)).toBe(true)
      expect(runbook).toContain(`\n## ${suffix}\n`)
      if (suffix !== 'delivery-dead') expect(counted).toContain(`'${alarm.MetricName}'`)
    }
  })

  it('is on the dashboard with its alarms, its waiting deliveries and their results', () => {
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
    expect(queues['DeliverShopOrderPaidDeadLetterQueue']?.Properties).toMatchObject({
      QueueName: 'gatehouse-prod-deliver-shop-order-paid-dead',
    })
  })
})
