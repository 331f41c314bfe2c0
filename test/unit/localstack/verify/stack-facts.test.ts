import { afterEach, expect, it } from 'vitest'
import { stackFacts } from '../../../../localstack/verify/stack-facts.ts'
import { type FakeAws, fakeAws, NO_STACK } from '../../../support/fake-aws.ts'

let aws: FakeAws | undefined

afterEach(() => aws?.close())

const TABLES = ['gatehouse-prod-events', 'gatehouse-prod-users']

const answer = (name: string, content: string) =>
  `<${name}Response><${name}Result>${content}</${name}Result></${name}Response>`

const TEMPLATE = JSON.stringify({ Metadata: { Gatehouse: { parameters: { data: 'kept' } } } })

async function facts(stage: string | undefined, isProtected: boolean) {
  const stack = `<StackName>gatehouse-prod</StackName><EnableTerminationProtection>${isProtected}</EnableTerminationProtection>`
  const resources = TABLES.map(
    (name) =>
      `<member><ResourceType>AWS::DynamoDB::Table</ResourceType><PhysicalResourceId>${name}</PhysicalResourceId></member>`,
  )
  const other =
    '<member><ResourceType>AWS::SQS::Queue</ResourceType><PhysicalResourceId>q</PhysicalResourceId></member>'
  const isThere = ({ StackName: name }: Readonly<Record<string, unknown>>) => name === 'gatehouse-prod'
  aws = await fakeAws({
    DescribeStacks: (body) =>
      isThere(body) ? [200, answer('DescribeStacks', `<Stacks><member>${stack}</member></Stacks>`)] : NO_STACK,
    GetTemplate: () => [200, answer('GetTemplate', `<TemplateBody>${TEMPLATE}</TemplateBody>`)],
    ListStackResources: () => [
      200,
      answer('ListStackResources', `<StackResourceSummaries>${resources.join('')}${other}</StackResourceSummaries>`),
    ],
    'DynamoDB.DescribeTable': ({ TableName: name }) => [
      200,
      { Table: { TableName: name, DeletionProtectionEnabled: isProtected || name === TABLES[0] } },
    ],
  })
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  return stackFacts(stage, { region: 'eu-central-1', endpoint: aws.url, credentials })
}

it('the facts contain the protection of a stack and of each of its tables', async () => {
  expect(await facts('prod', true)).toEqual({ isKept: true, isProtected: true, tables: TABLES, unprotectedTables: [] })
})

it('the facts name each unprotected table', async () => {
  expect(await facts('prod', false)).toMatchObject({ isProtected: false, unprotectedTables: ['gatehouse-prod-users'] })
})

it('without a stage, and without a stack of its name, no fact is requested', async () => {
  await expect(facts(undefined, true)).rejects.toThrow('no --stage')
  await aws?.close()
  await expect(facts('none', true)).rejects.toThrow(/^AWS does not describe gatehouse-none: /)
})
