import { describe, expect, it } from 'vitest'
import { wrongParameters } from '../../../infra/parameters.ts'

const DEFAULTS = {
  retryScanMinutes: 5,
  data: 'kept',
  edgeEnabled: 'false',
  tracing: 'PassThrough',
  adapterEnabled: 'false',
  dashboardEnabled: 'true',
  adapterImage: '',
  adapterCertificateArn: '',
  adapterVpcId: '',
  adapterPublicSubnetIds: '',
  adapterPrivateSubnetIds: '',
  adapterProxies: '10.0.0.0/8',
}

const ADAPTER = {
  adapterEnabled: 'true',
  adapterImage: 'repository@sha256:0',
  adapterCertificateArn: 'arn:aws:acm:eu-central-1:000000000000:certificate/1',
  adapterVpcId: 'vpc-1',
  adapterPublicSubnetIds: 'subnet-1,subnet-2',
  adapterPrivateSubnetIds: 'subnet-3',
}

const wrong = (changes: object, stage = 'prod') => wrongParameters(stage, { ...DEFAULTS, ...changes })

describe('the parameters of a deployment', () => {
  it.each([{}, { retryScanMinutes: '1' }, { tracing: 'Active' }, ADAPTER])('may be %j', (changes) => {
    expect(wrong(changes)).toEqual([])
  })

  it.each([0, '-5', 1.5, '', '05', '1e3', ' 1'])('may not scan every %j minutes', (minutes) => {
    expect(wrong({ retryScanMinutes: minutes })).toEqual([
      'retryScanMinutes: must be a whole number of minutes, 1 or more',
    ])
  })

  it('name all missing parameters of a container', () => {
    expect(wrong({ adapterEnabled: 'true' })).toEqual([
      'adapterImage: must be set with adapterEnabled=true',
      'adapterCertificateArn: must be set with adapterEnabled=true',
      'adapterVpcId: must be set with adapterEnabled=true',
      'adapterPublicSubnetIds: must be set with adapterEnabled=true',
      'adapterPrivateSubnetIds: must be set with adapterEnabled=true',
    ])
  })

  it.each([',', ' , ', null])('treat an empty list as none: %j', (adapterPrivateSubnetIds) => {
    expect(wrong({ ...ADAPTER, adapterPrivateSubnetIds })).toEqual([
      'adapterPrivateSubnetIds: must be set with adapterEnabled=true',
    ])
  })

  it('require two subnets for a load balancer', () => {
    expect(wrong({ ...ADAPTER, adapterPublicSubnetIds: 'subnet-1, ' })).toEqual([
      'adapterPublicSubnetIds: a load balancer needs two subnets at least',
    ])
  })

  const UNNAMED = 'edgeEnabled: set TRUSTED_PROXIES to the addresses of CloudFront, as step 7 of docs/deploy.md does'

  it.each(['', ' , ', undefined])('B28 name the proxies of CloudFront, not %j', (TRUSTED_PROXIES) => {
    expect(wrong({ edgeEnabled: 'true', TRUSTED_PROXIES })).toEqual([UNNAMED])
    expect(wrong({ edgeEnabled: 'true', TRUSTED_PROXIES }, 'local')).toEqual([UNNAMED])
    expect(wrong({ edgeEnabled: 'true', TRUSTED_PROXIES: '130.176.0.0/17' })).toEqual([])
    expect(wrong({ edgeEnabled: 'false', TRUSTED_PROXIES })).toEqual([])
  })

  it.each([
    ['0.0.0.0/0', '0.0.0.0/0 holds strangers'],
    ['10.0.0.0/8,::/0', '::/0 holds strangers'],
    ['proxy.example', 'must be IP addresses or CIDR ranges, separated by commas'],
  ])('B28 accept no unknown proxies on a deployed stage: %s', (list, problem) => {
    expect(wrong({ TRUSTED_PROXIES: list })).toEqual([`TRUSTED_PROXIES: ${problem}`])
    expect(wrong({ ...ADAPTER, adapterProxies: list })).toEqual([`adapterProxies: ${problem}`])
    expect(wrong({ TRUSTED_PROXIES: list }, 'local')).toEqual([])
  })

  const DOMAIN = {
    domainName: 'hooks.example.com',
    domainCertificateArn: 'arn:aws:acm:eu-central-1:000000000000:certificate/1',
  }

  it('set the address of the service to that of its domain, which requires a certificate', () => {
    const drawn = { 'Fn::Sub': 'https://api.example' }
    expect(wrong({ ...DOMAIN, baseUrl: 'https://hooks.example.com' })).toEqual([])
    expect(wrong({ ...DOMAIN, baseUrl: drawn })).toEqual(['baseUrl: must be set with --param domainName'])
    expect(wrong({ ...DOMAIN, domainCertificateArn: '', baseUrl: 'https://hooks.example.com' })).toEqual([
      'domainCertificateArn: must be set with domainName',
    ])
  })

  const NETWORK = {
    directorySubnetIds: 'subnet-1',
    directorySecurityGroupIds: 'sg-1',
    LDAP_URL: 'ldaps://directory.internal',
  }

  it.each(Object.keys(NETWORK))('require a complete network of the directory: not without %s', (name) => {
    expect(wrong(NETWORK)).toEqual([])
    expect(wrong({ ...NETWORK, [name]: '' })).toEqual([`${name}: must be set with a network of the directory`])
  })

  it.each([
    ['tracing', 'true', 'Active or PassThrough'],
    ['data', 'keep', 'kept or disposable'],
    ['data', '', 'kept or disposable'],
    ['edgeEnabled', 'True', 'true or false'],
    ['adapterEnabled', '1', 'true or false'],
    ['dashboardEnabled', 'no', 'true or false'],
  ])('know the words of %s, and %j is none', (name, word, words) => {
    expect(wrong({ [name]: word })).toEqual([`${name}: must be ${words}`])
  })
})
