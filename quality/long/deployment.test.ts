import { readFileSync } from 'node:fs'
import { env } from 'node:process'
import { afterAll, describe, expect, it } from 'vitest'
import { enginePackage, runEngine } from '../../test/support/engine-package.ts'
import { fakeAws, NO_STACK } from '../../test/support/fake-aws.ts'
import { temporaryFolder } from '../../test/support/stack.ts'
import { ofType } from '../../test/support/template/template.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const ENVIRONMENT = { PATH: env['PATH'], HOME: env['HOME'] }

describe('a deployment that cannot succeed is refused before anything is packaged', () => {
  it.each([
    ['a container without a description', ['adapterEnabled=true'], /adapterImage.*\n.*adapterCertificateArn/],
    ['a scan every 0 minutes', ['retryScanMinutes=0'], /retryScanMinutes: must be a whole number of minutes/],
    [
      'a part with an incomplete description',
      ['directorySubnetIds=subnet-1'],
      /directorySecurityGroupIds: must.*\n.*LDAP_URL: must/,
    ],
    ['a parameter that does not exist', ['edgeEnable=true'], /edgeEnable is neither a parameter .* nor a setting/],
    ['a domain that the service does not know', ['domainName=hooks.example.com'], /baseUrl: must be set with/],
    ['B28 CloudFront as a proxy without its name', ['edgeEnabled=true'], /edgeEnabled: set TRUSTED_PROXIES to/],
    ['B28 every address as a proxy', ['adapterProxies=0.0.0.0/0'], /adapterProxies: 0\.0\.0\.0\/0 holds strangers/],
    ['a scan every 1.5 minutes', ['retryScanMinutes=1.5'], /retryScanMinutes: must be a whole number of minutes/],
  ])('%s', async (_, parameters, said) => {
    await expect(enginePackage('prod', folder.path, ENVIRONMENT, parameters)).rejects.toThrow(said)
  })
})

it('a stage without a file is refused, and the error lists the stages that have one', async () => {
  await expect(enginePackage('Prod', folder.path, ENVIRONMENT)).rejects.toThrow(
    /there is no stages\/Prod\.yml: copy the file of another stage \(container, dev, edge, prod, vpc\)/,
  )
})

it('a scan every minute can be packaged', async () => {
  const template = await enginePackage('prod', folder.path, ENVIRONMENT, ['retryScanMinutes=1'])
  const [rule] = ofType(JSON.parse(readFileSync(template, 'utf8')), 'AWS::Events::Rule')
  expect(rule?.Properties['ScheduleExpression']).toBe('rate(1 minute)')
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
    /in eu-west-3, the region of the stack, does not have:\n\s+gatehouse\/prod\/webhooks\n\s+gatehouse\/prod\/audit\n\s+gatehouse\/prod\/directory\n/,
  )
  const asked = new Set(aws.calls.map(([operation]) => operation))
  await aws.close()
  asked.delete('GetCallerIdentity')
  expect([...asked].sort()).toEqual(['GetTemplate', 'secretsmanager.DescribeSecret'])
})
