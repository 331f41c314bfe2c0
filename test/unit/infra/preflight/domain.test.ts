import { describe, expect, it } from 'vitest'
import { CHALLENGE, certificate, jsonError, told, tryToDeploy, xmlError, zone } from '../../../support/deployer.ts'

const ARN = 'arn:aws:acm:us-east-1:111122223333:certificate/11111111-2222-3333-4444-555555555555'
const DENIED = jsonError('AccessDeniedException', 403)

describe('the certificate', () => {
  it.each([
    ['hooks.example.com', 'ok'],
    ['*.example.com', 'ok'],
    ['HOOKS.example.com', 'ok'],
    ['example.com', 'fail'],
    ['*.hooks.example.com', 'fail'],
    ['*.com', 'fail'],
  ])('for %s is %s for hooks.example.com', async (name, level) => {
    const deployer = await tryToDeploy('edge', { 'CertificateManager.DescribeCertificate': () => certificate(name) })
    expect(told(deployer, 'certificate')).toEqual([expect.stringMatching(`^${level} `)])
  })

  it.each([
    [
      certificate('*.example.com', 'PENDING_VALIDATION'),
      `fail | ${ARN} is PENDING_VALIDATION | a certificate has to be ISSUED: validate it in ACM first`,
    ],
    [
      jsonError('ResourceNotFoundException'),
      `fail | ${ARN} is not there | request one in us-east-1, and name it in the file of the stage`,
    ],
    [DENIED, 'warn | not looked at | allow acm:DescribeCertificate, or look yourself'],
  ])('with the answer %j leads to advice', async (answer, line) => {
    const deployer = await tryToDeploy('edge', { 'CertificateManager.DescribeCertificate': () => answer })
    expect(told(deployer, 'certificate')).toEqual([line])
  })

  it.each([
    ['us-east-1', 'edge', 'arn:aws:acm:eu-central-1:111122223333:certificate/1'],
    ['eu-central-1', 'prod', 'arn:aws:acm:us-east-1:111122223333:certificate/1'],
  ])('must be in %s for a stage like %s', async (region, stage, arn) => {
    const overrides = [
      'domainName=hooks.example.com',
      'baseUrl=https://hooks.example.com',
      `domainCertificateArn=${arn}`,
    ]
    const deployer = await tryToDeploy(stage, {}, overrides)
    expect(told(deployer, 'certificate')).toEqual([
      `fail | ${arn} is in ${arn.split(':')[3]}, and has to be in ${region} | request one in ${region}, in this account`,
    ])
  })

  it('of the container must match the address for clients', async () => {
    const answers = { 'CertificateManager.DescribeCertificate': () => certificate('other.example.com') }
    expect(told(await tryToDeploy('container', answers), 'certificate')).toEqual([
      expect.stringMatching(/^fail \| \S+ is not for channels\.example\.com \| request one for that name$/),
    ])
  })
})

describe('the hosted zone', () => {
  const ask = 'GET /2013-04-01/hostedzone/Z0123456789ABCDEFGHIJ'
  const PUBLIC = 'name the public zone of the domain'

  it.each([
    [zone('hooks.example.com.'), 'ok | Z0123456789ABCDEFGHIJ, hooks.example.com'],
    [zone('ple.com.'), `fail | Z0123456789ABCDEFGHIJ is ple.com, and hooks.example.com is not in it | ${PUBLIC}`],
    [zone('example.com.', true), `fail | Z0123456789ABCDEFGHIJ is private | ${PUBLIC}`],
    [
      xmlError('NoSuchHostedZone', 404),
      'fail | Z0123456789ABCDEFGHIJ is not there | name the zone of the domain: aws route53 list-hosted-zones',
    ],
    [xmlError('AccessDenied', 403), 'warn | not looked at | allow route53:GetHostedZone, or look yourself'],
  ])('with the answer %j leads to advice', async (answer, line) => {
    expect(told(await tryToDeploy('edge', { [ask]: () => answer }), 'hosted zone')).toEqual([line])
  })
})

describe('the layer before CloudFront', () => {
  it.each([
    ['', 'warn | CloudFront gets none'],
    ['arn:aws:wafv2:eu-central-1:111122223333:global/webacl/a/b', 'is in eu-central-1, and has to be in us-east-1'],
    ['arn:aws:wafv2:us-east-1:999999999999:global/webacl/a/b', 'belongs to account 999999999999, not to 111122223333'],
    ['arn:aws:wafv2:us-east-1:111122223333:regional/webacl/a/b', 'is no web ACL for CloudFront'],
    ['firewall', 'is no ARN'],
  ])('the firewall %j is reported as wrong', async (arn, message) => {
    expect(told(await tryToDeploy('edge', {}, [`edgeWebAclArn=${arn}`]), 'firewall')).toEqual([
      expect.stringContaining(message),
    ])
  })

  it.each([
    ['', jsonError('x'), 'warn | WWW-Authenticate keeps another name'],
    ['arn:aws:lambda:us-east-1:111122223333:function:f', jsonError('x'), 'is not a version of a function'],
    [undefined, jsonError('ResourceNotFoundException', 404), 'is not there'],
    [undefined, DENIED, 'warn | not looked at | allow lambda:GetFunctionConfiguration'],
  ])('the function %j with the answer %j is reported as wrong', async (arn, answer, message) => {
    const overrides = arn === undefined ? [] : [`edgeChallengeArn=${arn}`]
    const deployer = await tryToDeploy('edge', { [CHALLENGE]: () => answer }, overrides)
    expect(told(deployer, 'challenge')).toEqual([expect.stringContaining(message)])
  })
})

describe('the service-linked roles of AWS', () => {
  it('that do not exist yet cause a warning, each with the command that creates it', async () => {
    const deployer = await tryToDeploy('container', { GetRole: () => xmlError('NoSuchEntity', 404) })
    expect(told(deployer, 'linked roles')).toEqual(
      ['ecs', 'ecs.application-autoscaling', 'elasticloadbalancing'].map((service) =>
        expect.stringContaining(`--aws-service-name ${service}.amazonaws.com, or deploy a second time`),
      ),
    )
  })

  it('that may not be read are unknown', async () => {
    const deployer = await tryToDeploy('container', { GetRole: () => xmlError('AccessDenied', 403) })
    expect(told(deployer, 'linked roles')).toEqual(['warn | not looked at | allow iam:GetRole, or look yourself'])
  })
})
