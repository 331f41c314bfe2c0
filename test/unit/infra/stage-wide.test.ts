import { expect, it } from 'vitest'
import { withWide, wrongWide } from '../../../infra/stage-wide.ts'

const ARN = 'arn:aws:iam::111122223333:policy/team/boundary'

it.each([
  [{}],
  [{ tags: {}, network: {}, rolePath: '', memoryMegabytes: {} }],
  [{ permissionsBoundary: ARN, rolePath: '/team/eu/', tags: { 'Größe:a/b=c+d-e@f': '' } }],
  [{ tags: Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`tag-${index}`, 'x'])) }],
  [
    {
      kmsKeyArn: 'arn:aws-us-gov:kms:us-gov-west-1:111122223333:key/mrk-1234',
      reservedConcurrency: 1,
      timeoutSeconds: { api: 29 },
    },
  ],
])('a stage may set %j', (values) => {
  expect(wrongWide(values)).toEqual([])
})

it.each([
  [{ permissionsBoundary: 'boundary' }, 'permissionsBoundary'],
  [{ permissionsBoundary: 'arn:aws:iam::111122223333:role/boundary' }, 'permissionsBoundary'],
  [{ rolePath: 'team' }, 'rolePath'],
  [{ rolePath: '//' }, 'rolePath'],
  [{ tags: { 'aws:cost': 'x' } }, 'tags.aws:cost'],
  [{ tags: { AWS: 'x', 'a|b': 'x' } }, 'tags.a|b'],
  [{ tags: { a: 'x'.repeat(257) } }, 'tags.a'],
  [{ tags: { a: 5 } }, 'tags.a'],
  [{ tags: Object.fromEntries(Array.from({ length: 41 }, (_, index) => [`tag-${index}`, 'x'])) }, 'tags'],
  [{ kmsKeyArn: 'alias/mine' }, 'kmsKeyArn'],
  [{ reservedConcurrency: 0 }, 'reservedConcurrency'],
  [{ reservedConcurrency: '100' }, 'reservedConcurrency'],
  [{ memoryMegabytes: { webhook: 1024 } }, 'memoryMegabytes'],
  [{ memoryMegabytes: { webhooks: 127 } }, 'memoryMegabytes.webhooks'],
  [{ timeoutSeconds: { jobs: 20 } }, 'timeoutSeconds'],
  [{ timeoutSeconds: { login: 30 } }, 'timeoutSeconds.login'],
  [{ network: { subnetIds: [], securityGroupIds: ['sg-01234567'] } }, 'network.subnetIds'],
  [{ network: { subnetIds: ['subnet-0123456g'], securityGroupIds: ['sg-01234567'] } }, 'network.subnetIds.0'],
  [{ network: { subnetIds: ['subnet-01234567'] } }, 'network.securityGroupIds'],
])('a stage may not set %j', (values, path) => {
  expect(wrongWide(values)).toEqual([
    expect.stringMatching(new RegExp(`^${path.replace('|', '\\|')}: ${path.split('.')[0]} must be `)),
  ])
})

it('a function that needs more than the others of its folder keeps it, and a second time nothing changes', () => {
  const at = (MemorySize: number, Timeout: number, folder = 'login') => ({
    Type: 'AWS::Lambda::Function',
    Properties: { Handler: `dist/${folder}/form/index.handler`, MemorySize, Timeout },
  })
  const template = { Resources: { Standard: at(512, 10), Hash: at(1769, 29), Other: at(512, 10, 'api') } }
  const values = {
    memoryMegabytes: { login: 256 },
    timeoutSeconds: { login: 20 },
    tags: { team: 'a' },
    kmsKeyArn: 'arn:aws:kms:eu-west-1:111122223333:key/1',
  }
  const once = withWide(template, values)
  expect(once.Resources).toMatchObject({ Standard: at(256, 20), Hash: at(1769, 29), Other: at(512, 10, 'api') })
  expect(withWide(once, values)).toEqual(once)
})
