import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'
import type { Finding } from '../../infra/finding.ts'
import { preflight } from '../../infra/preflight/preflight.ts'
import { describeStage } from '../../infra/removals.ts'
import { stageParameters } from '../../infra/stages.ts'
import { type FakeAws, fakeAws, NO_STACK } from './fake-aws.ts'
import { temporaryFolder } from './stack.ts'

type Answers = Parameters<typeof fakeAws>[0]
type Asked = Readonly<Record<string, unknown>>

const ACCOUNT = '111122223333'
const DEPLOYER = `arn:aws:iam::${ACCOUNT}:user/ada`

export const callerIs = (arn: string) => () =>
  [
    200,
    `<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>${arn}</Arn><Account>${ACCOUNT}</Account></GetCallerIdentityResult></GetCallerIdentityResponse>`,
  ] as const

/** An error of the older protocols. */
export const xmlError = (code: string, status = 400) =>
  [status, `<ErrorResponse><Error><Code>${code}</Code><Message>no</Message></Error></ErrorResponse>`] as const

export const jsonError = (type: string, status = 400) => [status, { __type: type, message: 'no' }] as const

/** IAM's judgement: a decision for each action, with the keys of conditions that it was not told. */
export function simulated(decisionOf: (action: string) => string, missing: readonly string[] = []) {
  return (asked: Asked) => {
    const keys = missing.map((key) => `<member>${key}</member>`).join('')
    const members = actionsIn(asked).map(
      (action) =>
        `<member><EvalActionName>${action}</EvalActionName><EvalDecision>${decisionOf(action)}</EvalDecision><MissingContextValues>${keys}</MissingContextValues></member>`,
    )
    return [
      200,
      `<SimulatePrincipalPolicyResponse><SimulatePrincipalPolicyResult><IsTruncated>false</IsTruncated><EvaluationResults>${members.join('')}</EvaluationResults></SimulatePrincipalPolicyResult></SimulatePrincipalPolicyResponse>`,
    ] as const
  }
}

export function actionsIn(asked: Asked): readonly string[] {
  return Object.entries(asked).flatMap(([name, value]) => (name.startsWith('ActionNames.') ? [String(value)] : []))
}

export const role = (arn: string) =>
  [200, `<GetRoleResponse><GetRoleResult><Role><Arn>${arn}</Arn></Role></GetRoleResult></GetRoleResponse>`] as const

export const certificate = (domain: string, status = 'ISSUED') =>
  [200, { Certificate: { DomainName: domain, SubjectAlternativeNames: [domain], Status: status } }] as const

export const zone = (name: string, isPrivate = false) =>
  [
    200,
    `<GetHostedZoneResponse><HostedZone><Id>/hostedzone/Z0</Id><Name>${name}</Name><CallerReference>x</CallerReference><Config><PrivateZone>${isPrivate}</PrivateZone></Config></HostedZone></GetHostedZoneResponse>`,
  ] as const

const ring = (bytes: number) => `k1:${randomBytes(bytes).toString('base64url')}`

export const SECRETS: Readonly<Record<string, object>> = {
  tokens: { JWT_KEYS: ring(64) },
  audit: { AUDIT_KEYS: ring(32) },
  webhooks: { WEBHOOK_SECRETS: { 'order-status': randomBytes(24).toString('base64url') } },
}

export const secretsAre = (secrets: Readonly<Record<string, unknown>>) => {
  const textOf = ({ SecretId: id }: Asked) => secrets[String(id).split('/').at(-1) ?? '']
  const absent = jsonError('ResourceNotFoundException')
  return {
    'secretsmanager.DescribeSecret': (asked: Asked) => (textOf(asked) ? ([200, {}] as const) : absent),
    'secretsmanager.GetSecretValue': (asked: Asked) => {
      const text = textOf(asked)
      return text ? ([200, { SecretString: JSON.stringify(text) }] as const) : absent
    },
  }
}

/** An account in which each stage of `stages/` can be deployed. */
const READY: Answers = {
  GetCallerIdentity: callerIs(DEPLOYER),
  GetTemplate: () => NO_STACK,
  SimulatePrincipalPolicy: simulated(() => 'allowed'),
  GetRole: () => role(`arn:aws:iam::${ACCOUNT}:role/any`),
  'GET /2016-08-19/account-settings': () => [200, { AccountLimit: { ConcurrentExecutions: 1000 } }],
  'CertificateManager.DescribeCertificate': () => certificate('*.example.com'),
  'GET /2013-04-01/hostedzone/Z0123456789ABCDEFGHIJ': () => zone('example.com.'),
  ...secretsAre(SECRETS),
}

/** Types of resources, some of them under a condition that the stage decides. */
const RESOURCES = {
  EventsTable: { Type: 'AWS::DynamoDB::Table' },
  AdapterService: { Type: 'AWS::ECS::Service', Condition: 'AdapterEnabled' },
  EdgeDistribution: { Type: 'AWS::CloudFront::Distribution', Condition: 'OnEdge' },
  EdgeRecord: { Type: 'AWS::Route53::RecordSet', Condition: 'OnEdge' },
}

export interface Attempt {
  readonly findings: readonly Finding[]
  readonly calls: FakeAws['calls']
}

/** What whoever deploys is told of a stage that was packaged. @param answers in place of those of an account that is ready */
export async function tryToDeploy(
  stage: string,
  answers: Answers = {},
  overrides: readonly string[] = [],
  packaged: object = {},
): Promise<Attempt> {
  const folder = temporaryFolder()
  const parameters = stageParameters(stage, overrides)
  const template = {
    Metadata: { Gatehouse: describeStage(parameters, []) },
    Conditions: {
      AdapterEnabled: { 'Fn::Equals': [parameters['adapterEnabled'], 'true'] },
      OnEdge: {
        'Fn::And': [{ Condition: 'EdgeEnabled' }, { 'Fn::Not': [{ 'Fn::Equals': [parameters['domainName'], ''] }] }],
      },
      EdgeEnabled: { 'Fn::Equals': [parameters['edgeEnabled'], 'true'] },
    },
    Resources: RESOURCES,
    ...packaged,
  }
  writeFileSync(join(folder.path, 'cloudformation-template-update-stack.json'), JSON.stringify(template))
  const aws = await fakeAws({ ...READY, ...answers })
  for (const [name, value] of Object.entries({
    AWS_ENDPOINT_URL: aws.url,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  }))
    vi.stubEnv(name, value)
  try {
    return { findings: await preflight({ stage, overrides, folder: folder.path }), calls: aws.calls }
  } finally {
    vi.unstubAllEnvs()
    folder.remove()
    await aws.close()
  }
}

/** Of one check: the levels, and what is told. */
export function told({ findings }: Attempt, check: string): readonly string[] {
  return findings
    .filter((finding) => finding.check === check)
    .map(({ level, message, ...finding }) =>
      [level, message, ...('remedy' in finding ? [finding.remedy] : [])].join(' | '),
    )
}

/** The question for the function at the edge of `stages/edge.yml`. */
export const CHALLENGE = `GET /2015-03-31/functions/${encodeURIComponent('arn:aws:lambda:us-east-1:111122223333:function:gatehouse-challenge:1')}/configuration`
