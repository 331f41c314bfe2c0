import { afterEach, describe, expect, it } from 'vitest'
import { formerPackage, rememberPackage } from '../../../infra/rollback.ts'
import { type FakeAws, fakeAws, NO_STACK } from '../../support/fake-aws.ts'

const PLACE = 'serverless/gatehouse/prod'
const FIRST = `${PLACE}/1000-2026-11-30`
const FAILED = `${PLACE}/1500-2026-11-30`
const SECOND = `${PLACE}/2000-2026-11-30`
const TEAM = `${PLACE}/team`

let aws: FakeAws | undefined
afterEach(() => aws?.close())

const tableOf = (key: string, more: object = {}) => ({
  Type: 'AWS::DynamoDB::Table',
  Properties: { TableName: 'gatehouse-prod-events', KeySchema: [{ AttributeName: key, KeyType: 'HASH' }], ...more },
})

const templateIn = (folder = '', tables: object = { EventsTable: tableOf('eventId') }, team = 'one') => ({
  Resources: {
    HomeLambdaFunction: { Type: 'AWS::Lambda::Function', Properties: { Code: { S3Key: `${folder}/home.zip` } } },
    TeamStack: {
      Type: 'AWS::CloudFormation::Stack',
      Properties: { TemplateURL: { 'Fn::Join': ['', ['https://s3.', { Ref: 'Bucket' }, `/${TEAM}/${team}.json`]] } },
    },
    ...tables,
  },
})

const described = (status: string) =>
  `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>gatehouse-prod</StackName><StackStatus>${status}</StackStatus><CreationTime>2026-01-01T00:00:00Z</CreationTime></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`

const asXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

interface Stage {
  readonly status?: string
  readonly now?: object
  readonly bucket?: Readonly<Record<string, object>>
}

/** The engine at a stage in a bucket with these files. */
async function engineAt({ status = 'UPDATE_COMPLETE', now = templateIn(SECOND), bucket = {} }: Stage, folder = '') {
  const files = Object.entries(bucket).map(([key, value]) => [`GET /packages/${key}`, () => [200, value] as const])
  const missing = [404, '<Error><Code>NoSuchKey</Code><Message>No such key</Message></Error>'] as const
  const given = await fakeAws({
    [`GET /packages/${PLACE}/deployed.json`]: () => missing,
    [`GET /packages/${FIRST}/compiled-cloudformation-template.json`]: () => missing,
    [`PUT /packages/${PLACE}/deployed.json`]: () => [200, ''],
    DescribeStacks: () => (status ? [200, described(status)] : NO_STACK),
    GetTemplate: () => [
      200,
      `<GetTemplateResponse><GetTemplateResult><TemplateBody>${asXml(JSON.stringify(now))}</TemplateBody></GetTemplateResult></GetTemplateResponse>`,
    ],
    ...Object.fromEntries(files),
  })
  aws = given
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  return {
    service: { package: { artifactDirectoryName: folder }, provider: {} },
    getProvider: () => ({
      naming: { getStackName: () => 'gatehouse-prod' },
      getAwsSdkV3Config: async () => ({ region: 'eu-central-1', endpoint: given.url, credentials }),
      getServerlessDeploymentBucketName: async () => 'packages',
    }),
  }
}

const FORMER = {
  [`${PLACE}/deployed.json`]: [FIRST, SECOND],
  [`${FIRST}/compiled-cloudformation-template.json`]: templateIn(FIRST),
  [`${TEAM}/one.json`]: { Resources: { TeamOrders: tableOf('orderId') } },
  [`${TEAM}/two.json`]: { Resources: { TeamOrders: tableOf('id'), TeamQueue: { Type: 'AWS::SQS::Queue' } } },
  [`${TEAM}/three.json`]: { Resources: { TeamOrders: tableOf('orderId'), TeamQueue: { Type: 'AWS::SQS::Queue' } } },
}

describe('the way back', () => {
  it('leads to the package that became the stage before, though another one failed since', async () => {
    const failed = { [`${FAILED}/compiled-cloudformation-template.json`]: templateIn(FAILED) }
    const engine = await engineAt({ bucket: { ...FORMER, ...failed } })
    expect(await formerPackage(engine)).toEqual({ timestamp: '1000', parameters: [] })
  })

  it('keeps the values of parameters that both have, as the secret of the edge', async () => {
    const named = (folder: string, ...names: readonly string[]) => ({
      ...templateIn(folder),
      Parameters: Object.fromEntries(names.map((name) => [name, { Type: 'String' }])),
    })
    const then = { [`${FIRST}/compiled-cloudformation-template.json`]: named(FIRST, 'EdgeSecrets', 'Old') }
    const engine = await engineAt({ now: named(SECOND, 'EdgeSecrets', 'New'), bucket: { ...FORMER, ...then } })
    const parameters = [{ ParameterKey: 'EdgeSecrets', UsePreviousValue: true }]
    expect(await formerPackage(engine)).toEqual({ timestamp: '1000', parameters })
  })

  it('may change the tags of a table', async () => {
    const tagged = tableOf('eventId', { Tags: [{ Key: 'owner', Value: 'payments' }] })
    const engine = await engineAt({ now: templateIn(SECOND, { EventsTable: tagged }), bucket: FORMER })
    expect(await formerPackage(engine)).toEqual({ timestamp: '1000', parameters: [] })
  })

  it('may change the queues of the team', async () => {
    const engine = await engineAt({ now: templateIn(SECOND, undefined, 'three'), bucket: FORMER })
    expect(await formerPackage(engine)).toEqual({ timestamp: '1000', parameters: [] })
  })

  it.each<[string, Stage, RegExp]>([
    [
      'before a second deployment',
      { bucket: { [`${PLACE}/deployed.json`]: [SECOND] } },
      /no former package of gatehouse/,
    ],
    ['where nothing was remembered', {}, /no former package/],
    ['when the former package was deleted', { bucket: { [`${PLACE}/deployed.json`]: [FIRST, SECOND] } }, /no former/],
    ['from a package that nobody remembers', { now: templateIn(FAILED), bucket: FORMER }, /no former/],
    ['in the middle of a shift', { status: 'UPDATE_IN_PROGRESS', bucket: FORMER }, /is UPDATE_IN_PROGRESS: wait/],
    [
      'while it is cleared up',
      { status: 'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS', bucket: FORMER },
      /CLEANUP_IN_PROGRESS/,
    ],
    [
      'while a stopped shift is taken back',
      { status: 'UPDATE_ROLLBACK_IN_PROGRESS', bucket: FORMER },
      /is UPDATE_ROLLBACK_IN_PROGRESS: wait/,
    ],
    ['from no stage', { status: '' }, /does not exist/],
    [
      'after a change of a table',
      { now: templateIn(SECOND, { EventsTable: tableOf('id') }), bucket: FORMER },
      /other tables: EventsTable\. /,
    ],
    [
      'after a new table',
      { now: templateIn(SECOND, { EventsTable: tableOf('eventId'), KeysTable: tableOf('id') }), bucket: FORMER },
      /other tables: KeysTable\. /,
    ],
    ['after one went', { now: templateIn(SECOND, {}), bucket: FORMER }, /other tables: EventsTable\. /],
    [
      'after a change of one of the team',
      { now: templateIn(SECOND, undefined, 'two'), bucket: FORMER },
      /TeamOrders\. /,
    ],
  ])('is refused %s', async (_, stage, reason) => {
    const found = await formerPackage(await engineAt(stage))
    expect(found).toEqual({ refused: expect.stringMatching(reason) })
  })
})

describe('the list of what a stage was made of', () => {
  const written = () =>
    aws?.calls.filter(([operation]) => operation.startsWith('PUT ')).map(([, body]) => Object.keys(body)[0])

  it('gets a package whose deployment succeeded', async () => {
    await rememberPackage(await engineAt({ bucket: { [`${PLACE}/deployed.json`]: [FIRST] } }, SECOND))
    expect(written()).toEqual([JSON.stringify([FIRST, SECOND])])
  })

  it('ends with the package that a rollback put back: the way back from the next one leads to it', async () => {
    await rememberPackage(await engineAt({ bucket: { [`${PLACE}/deployed.json`]: [FIRST, SECOND] } }, FIRST))
    expect(written()).toEqual([JSON.stringify([FIRST])])
  })
})
