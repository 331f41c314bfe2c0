import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { env } from 'node:process'
import { CreateBucketCommand, GetObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { startSqs } from '../../localstack/stack/emulators/sqs.ts'
import { runEngine } from '../support/engine-package.ts'
import { type FakeAws, fakeAws } from '../support/fake-aws.ts'
import { freePort } from '../support/free-port.ts'
import { temporaryFolder } from '../support/stack.ts'

const BUCKET = 'packages'
const CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local' }
const ARN = 'arn:aws:cloudformation:eu-central-1:111122223333:stack/gatehouse-prod/1'

const folder = temporaryFolder()
const port = await freePort()
const bucket = new S3Client({ region: 'eu-central-1', endpoint: `http://127.0.0.1:${port}`, credentials: CREDENTIALS })
let stores: Awaited<ReturnType<typeof startSqs>>
let aws: FakeAws

/** What the stack is made of: a template as it is in the bucket. */
let deployed = JSON.stringify({ Resources: {} })
let proposed = deployed
let status = 'UPDATE_COMPLETE'

const xml = (operation: string, result: string) =>
  [200, `<${operation}Response><${operation}Result>${result}</${operation}Result></${operation}Response>`] as const
const asXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

async function read(key: string): Promise<Uint8Array> {
  const { Body: body } = await bucket.send(new GetObjectCommand({ Bucket: BUCKET, Key: key }))
  return (await body?.transformToByteArray()) ?? new Uint8Array()
}

beforeAll(async () => {
  stores = await startSqs(port, 'eu-central-1', { path: () => undefined })
  await bucket.send(new CreateBucketCommand({ Bucket: BUCKET }))
  const stack = () =>
    `<StackName>gatehouse-prod</StackName><StackId>${ARN}</StackId><StackStatus>${status}</StackStatus><CreationTime>2026-01-01T00:00:00Z</CreationTime>`
  const eventOf = (id: string, status: string) =>
    `<member><EventId>${id}</EventId><StackId>${ARN}</StackId><StackName>gatehouse-prod</StackName><LogicalResourceId>gatehouse-prod</LogicalResourceId><PhysicalResourceId>${ARN}</PhysicalResourceId><ResourceType>AWS::CloudFormation::Stack</ResourceType><ResourceStatus>${status}</ResourceStatus><Timestamp>2026-01-01T00:00:00Z</Timestamp></member>`
  aws = await fakeAws({
    DescribeStacks: () => xml('DescribeStacks', `<Stacks><member>${stack()}</member></Stacks>`),
    DescribeStackResource: () =>
      xml(
        'DescribeStackResource',
        `<StackResourceDetail><PhysicalResourceId>${BUCKET}</PhysicalResourceId></StackResourceDetail>`,
      ),
    GetTemplate: () => xml('GetTemplate', `<TemplateBody>${asXml(deployed)}</TemplateBody>`),
    ValidateTemplate: () => xml('ValidateTemplate', ''),
    DeleteChangeSet: () => xml('DeleteChangeSet', ''),
    CreateChangeSet: ({ TemplateURL: url }) => {
      proposed = String(url)
      return xml('CreateChangeSet', `<Id>change</Id><StackId>${ARN}</StackId>`)
    },
    DescribeChangeSet: () =>
      xml(
        'DescribeChangeSet',
        `<StackId>${ARN}</StackId><ChangeSetId>change</ChangeSetId><Status>CREATE_COMPLETE</Status>`,
      ),
    ExecuteChangeSet: () => xml('ExecuteChangeSet', ''),
    DescribeStackEvents: () =>
      xml(
        'DescribeStackEvents',
        `<StackEvents>${eventOf('2', 'UPDATE_COMPLETE')}${eventOf('1', 'UPDATE_IN_PROGRESS')}</StackEvents>`,
      ),
    UpdateTerminationProtection: () => xml('UpdateTerminationProtection', `<StackId>${ARN}</StackId>`),
    ListStackResources: () => xml('ListStackResources', '<StackResourceSummaries></StackResourceSummaries>'),
    GetCallerIdentity: () =>
      xml('GetCallerIdentity', '<Account>111122223333</Account><Arn>arn:aws:iam::111122223333:user/one</Arn>'),
    'secretsmanager.DescribeSecret': () => [200, {}],
    'DynamoDB.DescribeTable': () => [200, { Table: { DeletionProtectionEnabled: true } }],
  })
})
afterAll(async () => {
  bucket.destroy()
  await aws.close()
  await stores.stop()
  folder.remove()
})

/** Runs the engine, and makes the stack what CloudFormation was told. */
async function engine(...args: readonly string[]): Promise<void> {
  await runEngine([...args, '--stage', 'prod'], {
    PATH: env['PATH'],
    HOME: env['HOME'],
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL: aws.url,
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
  })
  deployed = Buffer.from(await read(proposed.slice(proposed.indexOf(`/${BUCKET}/`) + BUCKET.length + 2))).toString()
}

/** The package of production as of a minute, with a text in one of its archives. */
function packageOf(minute: string, text: string): string {
  const place = join(folder.path, minute)
  cpSync(join(inject('packages'), 'prod'), place, { recursive: true })
  writeFileSync(join(place, 'status.zip'), text)
  const date = new Date(`2026-01-01T00:${minute}:00.000Z`)
  for (const file of globSync(join(place, '*.json'))) {
    const made = readFileSync(file, 'utf8').replaceAll(
      /\d{13}-\d{4}-\d\d-\d\dT[\d:.]+Z/g,
      `${date.getTime()}-${date.toISOString()}`,
    )
    writeFileSync(file, made)
  }
  return place
}

const keysIn = (template: string) => [...template.matchAll(/"S3Key":\s*"([^"]+)"/g)].map(([, key = '']) => key)

const changes = () => aws.calls.filter(([operation]) => operation === 'ExecuteChangeSet').length

// It runs the engine six times.
it('a rollback makes the stage what the deployment before made it, byte for byte; not in the middle of a shift, after a change of a table, or further back', async () => {
  const [first, second] = [packageOf('01', 'first'), packageOf('02', 'second')]
  await engine('deploy', '--package', first)
  const before = deployed
  await engine('deploy', '--package', second)
  expect(keysIn(deployed).filter((key) => keysIn(before).includes(key))).toEqual([])
  status = 'UPDATE_IN_PROGRESS'
  await expect(engine('rollback')).rejects.toThrow('gatehouse-prod is UPDATE_IN_PROGRESS: wait for its end')
  status = 'UPDATE_COMPLETE'
  const after = deployed
  deployed = after.replace(/"BillingMode":\s*"PAY_PER_REQUEST"/, '"BillingMode":"PROVISIONED"')
  expect(deployed).not.toBe(after)
  await expect(engine('rollback')).rejects.toThrow(/The former package has other tables: \w+Table\. /)
  deployed = after
  expect(changes()).toBe(2)
  await engine('rollback')
  expect(deployed).toBe(before)
  const kept = keysIn(deployed)
  expect(kept.length).toBeGreaterThan(70)
  for (const key of kept) expect(await read(key), key).toEqual(new Uint8Array(readFileSync(join(first, basename(key)))))
  await expect(engine('rollback')).rejects.toThrow('The bucket has no former package of gatehouse-prod')
  expect(changes()).toBe(3)
}, 600_000)
