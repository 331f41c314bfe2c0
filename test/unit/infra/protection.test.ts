import { afterEach, expect, it } from 'vitest'
import Functions from '../../../infra/plugin.mjs'
import { type FakeAws, fakeAws } from '../../support/fake-aws.ts'

let aws: FakeAws | undefined

afterEach(() => aws?.close())

/** What the engine does once a deployment has succeeded. */
async function afterDeployment(deletionProtection: boolean, isProtected: readonly string[] = []) {
  aws = await fakeAws({
    'DynamoDB.DescribeTable': ({ TableName: name }) => [
      200,
      { Table: { TableName: name, DeletionProtectionEnabled: isProtected.includes(String(name)) } },
    ],
    'DynamoDB.UpdateTable': () => [200, {}],
  })
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const engine = {
    serviceDir: '.',
    pluginManager: { plugins: [] },
    service: {
      service: 'gatehouse',
      package: { artifactDirectoryName: '' },
      provider: { deletionProtection, environment: {}, compiledCloudFormationTemplate: { Resources: {} } },
      custom: { tables: { events: 'gatehouse-prod-events', users: 'gatehouse-prod-users' } },
      resources: { Resources: {} },
      functions: {},
    },
    classes: { Error },
    processedInput: { commands: ['deploy'] },
    configSchemaHandler: { validateConfig: async () => {} },
    getProvider: () => ({
      getRegion: () => 'eu-central-1',
      getServerlessDeploymentBucketName: async () => 'packages',
      getAwsSdkV3Config: async () => ({
        region: 'eu-central-1',
        endpoint: aws?.url ?? '',
        credentials: async () => credentials,
      }),
      naming: { getStackName: () => 'gatehouse-prod' },
    }),
  }
  const plugin = new Functions(engine, {}, { log: { notice: () => {} } })
  await plugin.hooks['after:deploy:deploy']()
  return aws.calls.filter(([operation]) => operation === 'DynamoDB.UpdateTable').map(([, body]) => body)
}

it('a successful deployment protects its tables from deletion', async () => {
  expect(await afterDeployment(true)).toEqual([
    { TableName: 'gatehouse-prod-events', DeletionProtectionEnabled: true },
    { TableName: 'gatehouse-prod-users', DeletionProtectionEnabled: true },
  ])
})

it('a protected table is left unchanged', async () => {
  expect(await afterDeployment(true, ['gatehouse-prod-events'])).toEqual([
    { TableName: 'gatehouse-prod-users', DeletionProtectionEnabled: true },
  ])
})

it('a stage of disposable data is not protected', async () => {
  expect(await afterDeployment(false)).toEqual([])
  expect(aws?.calls).toEqual([])
})
