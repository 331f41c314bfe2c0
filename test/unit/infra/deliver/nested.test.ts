// biome-ignore-all lint/suspicious/noTemplateCurlyInString: CloudFormation substitutes these
import { expect, it } from 'vitest'
import { nest, type StackTemplate } from '../../../../infra/deliver/nested.ts'
import { isOfDestinations } from '../../../../infra/names.ts'

const holds = (id: string) => id.startsWith('In')
const URL = 'https://packages.example/in.json'
const PLACE = { id: 'Stack', urlOf: () => URL, holds }

const nestedOf = (Resources: Readonly<Record<string, object>>, others: Omit<StackTemplate, 'Resources'> = {}) =>
  nest({ ...others, Resources: Resources as StackTemplate['Resources'] }, PLACE)

const inner = (Properties: Readonly<Record<string, unknown>>) => ({ InQueue: { Type: 'AWS::SQS::Queue', Properties } })
const outer = (Properties: Readonly<Record<string, unknown>>) => ({
  ...inner({}),
  Role: { Type: 'AWS::IAM::Role', Properties },
})

it.each<[string, object, object, object]>([
  ['a reference', { Ref: 'Table' }, { Ref: 'Table' }, { Table: { Ref: 'Table' } }],
  [
    'an attribute',
    { 'Fn::GetAtt': ['Table', 'Arn'] },
    { Ref: 'TableArn' },
    { TableArn: { 'Fn::GetAtt': ['Table', 'Arn'] } },
  ],
  [
    'its short form',
    { 'Fn::GetAtt': 'Table.Arn' },
    { Ref: 'TableArn' },
    { TableArn: { 'Fn::GetAtt': ['Table', 'Arn'] } },
  ],
  [
    'a text',
    { 'Fn::Sub': '${Table.Arn}/index/due of ${AWS::Region}, not ${!Table}' },
    { 'Fn::Sub': '${TableArn}/index/due of ${AWS::Region}, not ${!Table}' },
    { TableArn: { 'Fn::GetAtt': ['Table', 'Arn'] } },
  ],
  [
    'a text with substitutions',
    { 'Fn::Sub': ['${Table} ${Word}', { Word: { Ref: 'Other' } }] },
    { 'Fn::Sub': ['${Table} ${Word}', { Word: { Ref: 'Other' } }] },
    { Table: { Ref: 'Table' }, Other: { Ref: 'Other' } },
  ],
  ['nothing outside', { 'Fn::GetAtt': ['InQueue', 'Arn'] }, { 'Fn::GetAtt': ['InQueue', 'Arn'] }, {}],
  ['a pseudo parameter of every stack', { Ref: 'AWS::NoValue' }, { Ref: 'AWS::NoValue' }, {}],
])('a reference from a nested resource to its parent becomes a parameter %s', (_, given, becomes, values) => {
  const { parent, nested } = nestedOf(inner({ of: [given] }))
  expect(nested.Resources['InQueue']?.Properties).toEqual({ of: [becomes] })
  expect(Object.keys(nested.Parameters)).toEqual(Object.keys(values))
  expect(parent.Resources['Stack']?.Properties).toEqual({ TemplateURL: URL, Parameters: values })
})

it.each<[string, object, object, object]>([
  [
    'a reference',
    { Ref: 'InQueue' },
    { 'Fn::GetAtt': ['Stack', 'Outputs.InQueue'] },
    { InQueue: { Value: { Ref: 'InQueue' } } },
  ],
  [
    'an attribute',
    { 'Fn::GetAtt': ['InQueue', 'Arn'] },
    { 'Fn::GetAtt': ['Stack', 'Outputs.InQueueArn'] },
    { InQueueArn: { Value: { 'Fn::GetAtt': ['InQueue', 'Arn'] } } },
  ],
  [
    'a text',
    { 'Fn::Sub': ['"${InQueue.QueueName}" ${Rest}', { Rest: '' }] },
    { 'Fn::Sub': ['"${Stack.Outputs.InQueueQueueName}" ${Rest}', { Rest: '' }] },
    { InQueueQueueName: { Value: { 'Fn::GetAtt': ['InQueue', 'QueueName'] } } },
  ],
  ['nothing inside', { Ref: 'Role' }, { Ref: 'Role' }, {}],
])('a reference from the parent to a nested resource becomes an output %s', (_, given, becomes, outputs) => {
  const { parent, nested } = nestedOf(outer({ of: given }), { Outputs: { Told: { Value: given } } })
  expect(parent.Resources['Role']?.Properties).toEqual({ of: becomes })
  expect(parent.Outputs).toEqual({ Told: { Value: becomes } })
  expect(nested.Outputs).toEqual(outputs)
})

it('a resource that depends on one on the other side depends on its stack, or its stack depends on it', () => {
  const { parent, nested } = nestedOf({
    InRole: { Type: 'AWS::IAM::Role', DependsOn: ['Table', 'InLog'] },
    InLog: { Type: 'AWS::Logs::LogGroup', DependsOn: 'Table' },
    Table: { Type: 'AWS::DynamoDB::Table' },
    Role: { Type: 'AWS::IAM::Role', DependsOn: ['InLog', 'Table', 'InRole'] },
  })
  expect(nested.Resources).toEqual({
    InRole: { Type: 'AWS::IAM::Role', DependsOn: ['InLog'] },
    InLog: { Type: 'AWS::Logs::LogGroup' },
  })
  expect(parent.Resources).toMatchObject({
    Table: { Type: 'AWS::DynamoDB::Table' },
    Role: { DependsOn: ['Stack', 'Table'] },
    Stack: { DependsOn: ['Table'] },
  })
})

it('a nested template has the conditions that it uses, and those that these use', () => {
  const { parent, nested } = nestedOf(
    { InAlarm: { Type: 'AWS::CloudWatch::Alarm', Properties: { AlarmActions: { 'Fn::If': ['HasTopic', [1], [2]] } } } },
    {
      Conditions: {
        HasTopic: { 'Fn::And': [{ Condition: 'IsOn' }, { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'Topic' }, ''] }] }] },
        IsOn: { 'Fn::Equals': ['true', 'true'] },
        HasDomain: { 'Fn::Equals': ['', ''] },
      },
    },
  )
  expect(Object.keys(nested.Conditions).sort()).toEqual(['HasTopic', 'IsOn'])
  expect(nested.Parameters).toEqual({ Topic: { Type: 'String' } })
  expect(Object.keys(parent.Conditions ?? {})).toHaveLength(3)
})

it('the resources of destinations are identified by their logical ids', () => {
  const ids = [
    'DeliverCrmQueue',
    'DeliveryScanRole',
    'DeliveryQueuesPolicy',
    'DeliveriesTable',
    'RetryQueue',
    'DestinationsRole',
  ]
  expect(ids.filter(isOfDestinations)).toEqual(['DeliverCrmQueue', 'DeliveryScanRole', 'DeliveryQueuesPolicy'])
})
