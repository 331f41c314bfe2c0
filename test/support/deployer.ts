import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { vi } from 'vitest'
import { checkStage } from '../../infra/check/stage.ts'
import { describeStage } from '../../infra/deployed.ts'
import type { Finding } from '../../infra/finding.ts'
import { stageParameters } from '../../infra/stages.ts'
import { type FakeAws, fakeAws } from './fake-aws.ts'
import { temporaryFolder } from './stack.ts'

type Answers = Parameters<typeof fakeAws>[0]
type Asked = Readonly<Record<string, unknown>>

const ACCOUNT = '111122223333'
const DEPLOYER = `arn:aws:iam::${ACCOUNT}:user/ada`

const callerIs = (arn: string) => () =>
  [
    200,
    `<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>${arn}</Arn><Account>${ACCOUNT}</Account></GetCallerIdentityResult></GetCallerIdentityResponse>`,
  ] as const

/** An error of the older protocols. */
export const xmlError = (code: string, status = 400) =>
  [status, `<ErrorResponse><Error><Code>${code}</Code><Message>no</Message></Error></ErrorResponse>`] as const

export const jsonError = (type: string, status = 400) => [status, { __type: type, message: 'no' }] as const

export const SECRETS: Readonly<Record<string, object>> = {
  tokens: { JWT_KEYS: `k1:${randomBytes(64).toString('base64url')}` },
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

const xmlOf = (text: string) => () => [200, `<Response>${text}</Response>`] as const

/** As IAM has it in its answers. */
export const boundaryIs = (...statements: readonly object[]) => ({
  GetPolicyVersion: xmlOf(`<Document>${encodeURIComponent(JSON.stringify({ Statement: statements }))}</Document>`),
})

/** What functions and their logs do with a key. */
const USE = ['kms:Decrypt', 'kms:Encrypt*', 'kms:GenerateDataKey*']

export const keyIs = (policy: readonly object[], metadata: object = {}) => ({
  'TrentService.DescribeKey': () =>
    [200, { KeyMetadata: { KeyState: 'Enabled', KeySpec: 'SYMMETRIC_DEFAULT', ...metadata } }] as const,
  'TrentService.GetKeyPolicy': () => [200, { Policy: JSON.stringify({ Statement: policy }) }] as const,
})

export const KEY_OF_ACCOUNT = { Effect: 'Allow', Principal: { AWS: `arn:aws:iam::${ACCOUNT}:root` }, Action: 'kms:*' }
export const KEY_OF_LOGS = { Effect: 'Allow', Principal: { Service: 'logs.eu-central-1.amazonaws.com' }, Action: USE }

/** The networks of stages in `stages/`. */
export const VPC = 'vpc-0123456789abcdef0'

/** A rule of one group names a group of another VPC. */
export const vpcsAre = (subnets: readonly string[], groups: readonly string[]) => ({
  DescribeSubnets: xmlOf(subnets.map((id) => `<item><vpcId>${id}</vpcId></item>`).join('')),
  DescribeSecurityGroups: xmlOf(
    `${groups.map((id) => `<item><vpcId>${id}</vpcId></item>`).join('')}<groups><vpcId>vpc-peer</vpcId></groups>`,
  ),
})

/** An account in which each stage of `stages/` can be deployed. */
const READY: Answers = {
  GetCallerIdentity: callerIs(DEPLOYER),
  'GET /2016-08-19/account-settings': () => [200, { AccountLimit: { ConcurrentExecutions: 1000 } }],
  GetPolicy: xmlOf('<DefaultVersionId>v2</DefaultVersionId>'),
  ...boundaryIs({ Effect: 'Allow', Action: '*', Resource: '*' }),
  ...keyIs([KEY_OF_ACCOUNT, KEY_OF_LOGS]),
  ...vpcsAre([VPC, VPC], [VPC]),
  ...secretsAre(SECRETS),
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
  const template = { Metadata: { Gatehouse: describeStage(parameters, []) }, Resources: {}, ...packaged }
  writeFileSync(join(folder.path, 'cloudformation-template-update-stack.json'), JSON.stringify(template))
  const aws = await fakeAws({ ...READY, ...answers })
  for (const [name, value] of Object.entries({
    AWS_ENDPOINT_URL: aws.url,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    GATEHOUSE_EDGE_SECRETS: env['GATEHOUSE_EDGE_SECRETS'] ?? 'e'.repeat(32),
  }))
    vi.stubEnv(name, value)
  try {
    return { findings: await checkStage({ stage, overrides, folder: folder.path }), calls: aws.calls }
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
