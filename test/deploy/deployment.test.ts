import { env } from 'node:process'
import { afterAll, expect, it } from 'vitest'
import { enginePackage, runEngine } from '../support/engine-package.ts'
import { fakeAws, NO_STACK } from '../support/fake-aws.ts'
import { temporaryFolder } from '../support/stack.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const ENVIRONMENT = { PATH: env['PATH'], HOME: env['HOME'] }

it('a deployment that cannot succeed is refused before anything is packaged, and all of its problems are named', async () => {
  const wrong = ['adapterEnabled=true', 'retryScanMinutes=0']
  await expect(enginePackage('prod', folder.path, ENVIRONMENT, wrong)).rejects.toThrow(
    /retryScanMinutes: must be a whole number of minutes.*adapterImage: must.*adapterCertificateArn: must/s,
  )
})

it('a stage whose secrets are in another region is not deployed, and no resource of it is created', async () => {
  const aws = await fakeAws({
    GetTemplate: () => NO_STACK,
    'secretsmanager.DescribeSecret': ({ SecretId: name }) =>
      String(name).endsWith('tokens') ? [200, {}] : [400, { __type: 'ResourceNotFoundException' }],
  })
  const credentials = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' }
  const parameters = ['--param', 'region=eu-west-3', '--param', 'LDAP_URL=ldaps://directory.example']
  const deployed = runEngine(['deploy', '--stage', 'prod', ...parameters], {
    ...ENVIRONMENT,
    ...credentials,
    AWS_ENDPOINT_URL: aws.url,
  })
  await expect(deployed).rejects.toThrow(
    /in eu-west-3, the region of the stack, does not have:\n\s+gatehouse\/prod\/webhooks\n\s+gatehouse\/prod\/directory\n/,
  )
  const asked = new Set(aws.calls.map(([operation]) => operation))
  await aws.close()
  asked.delete('GetCallerIdentity')
  expect([...asked].sort()).toEqual(['GetTemplate', 'secretsmanager.DescribeSecret'])
})
