import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { nest, type TemplateResource } from '../../../infra/deliver/nested.ts'
import { NESTED_STACKS } from '../../../infra/deliver/nesting.ts'
import { deliveryFunctions } from '../../../infra/deliver/resources.ts'
import { roleOf } from '../../../infra/iam/role.ts'
import { addTeamResources, teamResources } from '../../../infra/team-resources.ts'
import { destinationsOf } from '../../../lib/deliver/configured/destinations.ts'
import { checkedConfig } from '../../../lib/deliver/configured/read.ts'
import { temporaryFolder } from '../../support/stack.ts'

const { path: folder, remove } = temporaryFolder()
afterAll(remove)

const file = join(folder, 'resources.yml')

const GOOD = `
Resources:
  TeamOrders:
    Type: AWS::DynamoDB::Table
    Properties:
      BillingMode: PAY_PER_REQUEST
      KeySchema: [{ AttributeName: id, KeyType: HASH }]
      AttributeDefinitions: [{ AttributeName: id, AttributeType: S }]
  TeamDead: { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: true } }
  TeamJobs:
    Type: AWS::SQS::Queue
    Properties: { QueueName: jobs, RedrivePolicy: { maxReceiveCount: 3, deadLetterTargetArn: !GetAtt TeamDead.Arn } }
`

/** The resources of the stage `prod` of the service `shop`. */
async function resourcesIn(text: string, deletionProtection = true) {
  writeFileSync(file, text)
  const Resources: Record<string, unknown> = {}
  const provider = { environment: { STAGE: 'prod' }, deletionProtection }
  await addTeamResources({ service: { service: 'shop', provider, resources: { Resources } } }, file)
  return Resources as Record<string, TemplateResource>
}

describe('resources.yml', () => {
  it('has tables and queues, each with a name of its stage, and tables that are kept as those of the service', async () => {
    const { TeamOrders, TeamDead, TeamJobs } = await resourcesIn(GOOD)
    expect(TeamOrders).toMatchObject({
      ...{ DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' },
      Properties: { TableName: 'shop-prod-TeamOrders', BillingMode: 'PAY_PER_REQUEST' },
    })
    expect(TeamDead).toEqual({
      Type: 'AWS::SQS::Queue',
      Properties: { QueueName: 'shop-prod-TeamDead.fifo', FifoQueue: true },
    })
    expect(TeamJobs?.Properties).toEqual({
      QueueName: 'jobs',
      RedrivePolicy: { maxReceiveCount: 3, deadLetterTargetArn: { 'Fn::GetAtt': 'TeamDead.Arn' } },
    })
    expect((await resourcesIn(GOOD, false))['TeamOrders']).not.toHaveProperty('DeletionPolicy')
    const kept = GOOD.replace('Properties:\n', 'DeletionPolicy: Delete\n    Properties:\n')
    expect((await resourcesIn(kept))['TeamOrders']).toHaveProperty('DeletionPolicy', 'Delete')
  })

  it('is a nested stack, whose tables a handler may use and finds in its environment', async () => {
    const rights = [
      { actions: ['dynamodb:Query'], resources: [{ team: 'TeamOrders' }, { team: 'TeamOrders/index/*' }] },
    ]
    const found = [{ path: 'stripe/note', on: ['**'] }]
    const team = checkedConfig({ handlers: { 'stripe/note': { rights } } }, 'prod', found, ['TeamOrders'])
    const [handler] = destinationsOf(team, 'prod')
    const { deliverStripeNote } = deliveryFunctions(handler ? [handler] : [], 'shop-prod')
    expect(deliverStripeNote?.environment).toEqual({ TeamOrders: { Ref: 'TeamOrders' } })
    const given = handler?.target.to === 'handler' ? handler.target.rights : []
    const DeliverStripeNoteRole = roleOf({
      logGroup: '/shop/prod/jobs',
      secrets: 'shop/prod',
      grants: [],
      rights: given,
    })
    expect(DeliverStripeNoteRole.Properties.Policies[0]?.PolicyDocument.Statement).toContainEqual({
      ...{ Effect: 'Allow', Action: ['dynamodb:Query'] },
      // biome-ignore lint/suspicious/noTemplateCurlyInString: CloudFormation's
      Resource: [{ 'Fn::GetAtt': ['TeamOrders', 'Arn'] }, { 'Fn::Sub': '${TeamOrders.Arn}/index/*' }],
    })
    const [stack] = NESTED_STACKS.filter(({ id }) => id === 'TeamStack')
    const Resources = { ...(await resourcesIn(GOOD)), DeliverStripeNoteRole }
    const { parent, nested } = nest({ Resources }, { id: '', holds: () => false, ...stack, urlOf: () => '' })
    expect(Object.keys(parent.Resources)).toEqual(['DeliverStripeNoteRole', 'TeamStack'])
    expect(Object.keys(nested.Resources)).toEqual(['TeamOrders', 'TeamDead', 'TeamJobs'])
    expect(JSON.stringify(parent.Resources['DeliverStripeNoteRole'])).toContain('["TeamStack","Outputs.TeamOrdersArn"]')
  })

  it.each<[string, readonly (string | RegExp)[]]>([
    ['- TeamOrders', ['must have Resources, an object, and nothing else']],
    ['Resources: {}\nOutputs: {}', ['must have Resources, an object, and nothing else']],
    ['Resources: [', [/^Flow sequence in block collection|must be|Expected/]],
    ['Resources: { TeamA: { Type: !Foo b } }', [/^Unresolved tag: !Foo/]],
    [
      'Resources: { Orders: { Type: AWS::S3::Bucket }, TeamA: { Type: AWS::SQS::Queue, Condition: X } }',
      [
        'Orders: as a name, must begin with Team and a capital, and have at most 32 letters and digits',
        'Orders.Type: must be one of AWS::DynamoDB::Table, AWS::SQS::Queue',
        'TeamA: has unknown fields: Condition',
      ],
    ],
    [
      'Resources: { TeamA: { Type: AWS::SQS::Queue, Properties: { KmsMasterKeyId: !Ref EventsTable } } }',
      ['TeamA: names EventsTable, which is not in the file'],
    ],
  ])('%s is refused: %j', async (text, problems) => {
    writeFileSync(file, text)
    await expect(teamResources(file)).rejects.toMatchObject({
      problems: problems.map((one) => expect.stringMatching(typeof one === 'string' ? new RegExp(`^${one}$`) : one)),
    })
  })
})
