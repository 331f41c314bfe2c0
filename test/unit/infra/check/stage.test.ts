import { describe, expect, it, vi } from 'vitest'
import { checkStage } from '../../../../infra/check/stage.ts'
import type { Finding } from '../../../../infra/finding.ts'
import {
  boundaryIs,
  jsonError,
  KEY_OF_ACCOUNT,
  KEY_OF_LOGS,
  keyIs,
  told,
  tryToDeploy,
  VPC,
  vpcsAre,
  xmlError,
} from '../../../support/deployer.ts'
import { temporaryFolder } from '../../../support/stack.ts'

const checksOf = (findings: readonly Finding[]) => findings.map(({ level, check }) => `${level} ${check}`)

it.each([
  ['prod', []],
  ['container', ['adapterVpcId']],
  ['edge', []],
  ['platform', ['permissionsBoundary', 'kmsKeyArn', 'network']],
])(
  'an account that is ready passes for the stage %s, and is asked for what the stage names: %j',
  async (stage, names) => {
    const { findings } = await tryToDeploy(stage)
    const checks = [`stage ${stage}`, 'template', 'credentials', 'region', 'concurrency', ...names, 'secrets']
    expect(checksOf(findings)).toEqual(checks.map((check) => `ok ${check}`))
  },
)

it('what a stage may do without causes a warning the firewall and the function before CloudFront', async () => {
  const { findings } = await tryToDeploy('edge', {}, ['edgeWebAclArn=', 'edgeChallengeArn='])
  expect(checksOf(findings)).toEqual(expect.arrayContaining(['warn firewall', 'warn challenge']))
})

it('a stage with an edge is not deployed from a shell without the secret of the edge', async () => {
  vi.stubEnv('GATEHOUSE_EDGE_SECRETS', '')
  expect(told(await tryToDeploy('edge'), 'edge')).toEqual([
    expect.stringMatching(
      /^fail \| edgeEnabled: set GATEHOUSE_EDGE_SECRETS in this shell .*export it, then this again$/,
    ),
  ])
})

describe('an error before the first call of AWS ends the check', () => {
  it('a stage without a file', async () => {
    const [finding, ...more] = await checkStage({ stage: 'nowhere', overrides: [] })
    expect(finding).toMatchObject({
      level: 'fail',
      check: 'stage nowhere',
      message: expect.stringContaining('nowhere.yml'),
    })
    expect(more).toEqual([])
  })

  it('parameters that cannot be deployed', async () => {
    const overrides = ['data=gone', 'retryScanMinutes=0']
    const findings = await checkStage({ stage: 'prod', overrides })
    expect(findings.map(({ level, check, message }) => [level, check, message])).toEqual([
      ['fail', 'stage prod', 'retryScanMinutes: must be a whole number of minutes, 1 or more'],
      ['fail', 'stage prod', 'data: must be kept or disposable'],
    ])
  })
})

describe('the packaged template', () => {
  it('must be of the same stage and parameters', async () => {
    const deployer = await tryToDeploy('prod', {}, [], {
      Metadata: { Gatehouse: { parameters: {}, destinations: [] } },
    })
    expect(told(deployer, 'template')).toEqual([
      'fail | what was packaged last is of another stage, or of other parameters | npx gatehouse package --stage prod, then this again',
    ])
  })

  it('is required, with the command for the parameters of this run, if it is missing', async () => {
    const folder = temporaryFolder()
    vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:1')
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'local')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local')
    const findings = await checkStage({ stage: 'platform', overrides: ['logDays=7'], folder: folder.path })
    vi.unstubAllEnvs()
    folder.remove()
    expect(findings.map(({ level, check }) => [level, check])).toEqual([
      ['ok', 'stage platform'],
      ['fail', 'template'],
      ['fail', 'credentials'],
      ...['region', 'concurrency', 'permissionsBoundary', 'kmsKeyArn', 'network', 'secrets'].map((check) => [
        'skipped',
        check,
      ]),
    ])
    expect(findings[1]).toMatchObject({
      remedy: 'npx gatehouse package --stage platform --param logDays=7, then this again',
    })
  })
})

describe('the deployer and the region', () => {
  it('the credentials are reported by account and ARN', async () => {
    const deployer = await tryToDeploy('prod')
    expect(told(deployer, 'credentials')).toEqual(['ok | account 111122223333, as arn:aws:iam::111122223333:user/ada'])
  })

  it('credentials that AWS does not know end the check', async () => {
    const deployer = await tryToDeploy('prod', { GetCallerIdentity: () => xmlError('InvalidClientTokenId', 403) })
    expect(told(deployer, 'credentials')).toEqual([
      'fail | InvalidClientTokenId: no | aws configure, AWS_PROFILE, or AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY',
    ])
    expect(deployer.calls).toHaveLength(1)
  })

  it('a shell with another region causes a warning', async () => {
    vi.stubEnv('AWS_REGION', 'eu-west-1')
    expect(told(await tryToDeploy('prod'), 'region')).toEqual([
      'warn | eu-central-1, and eu-west-1 in this shell | export AWS_REGION=eu-central-1 before any other command of AWS',
    ])
  })
})

describe('the number of concurrent functions', () => {
  const account = 'GET /2016-08-19/account-settings'

  it('is low in a new account', async () => {
    const few = { [account]: () => [200, { AccountLimit: { ConcurrentExecutions: 10 } }] as const }
    expect(told(await tryToDeploy('prod', few), 'concurrency')).toEqual([
      'warn | 10 functions at a time | ask for more, docs/deploy.md, step 1, says how',
    ])
  })

  // stages/platform.yml reserves a hundred for each.
  it.each([
    [700, 'ok | 700 functions at a time'],
    [
      699,
      'fail | 699 functions at a time, of which reservedConcurrency takes 600 and 100 must be left | reserve less, or ask for more: docs/deploy.md, step 1',
    ],
  ])('must leave a hundred beside what the six functions of the intake reserve: %i', async (most, line) => {
    const limit = { [account]: () => [200, { AccountLimit: { ConcurrentExecutions: most } }] as const }
    expect(told(await tryToDeploy('platform', limit), 'concurrency')).toEqual([line])
  })

  it('may be unknown', async () => {
    const denied = { [account]: () => jsonError('AccessDeniedException', 403) }
    expect(told(await tryToDeploy('prod', denied), 'concurrency')).toEqual([
      'warn | AccessDeniedException: no | allow it, or find out why AWS refuses',
    ])
  })
})

const ALL = { Effect: 'Allow', Action: '*', Resource: '*' }

/** A template whose one role may do this. */
const roleWith = (...actions: readonly string[]) => {
  const statement = { Effect: 'Allow', Action: actions, Resource: 'arn:aws:sqs:eu-central-1:111122223333:events' }
  const policy = { PolicyName: 'own', PolicyDocument: { Statement: [statement] } }
  return { Resources: { OneRole: { Type: 'AWS::IAM::Role', Properties: { Policies: [policy] } } } }
}

describe('the permissions boundary', () => {
  const tried = async (answers: Parameters<typeof tryToDeploy>[1]) =>
    told(
      await tryToDeploy('platform', answers, [], roleWith('sqs:SendMessage', 'dynamodb:GetItem')),
      'permissionsBoundary',
    )

  it.each([
    ['all that roles do', [ALL]],
    ['it by patterns in any case', [{ Effect: 'Allow', Action: ['SQS:Send*', 'dynamodb:?etItem'], Resource: '*' }]],
    ['all but other actions', [{ Effect: 'Allow', NotAction: 'iam:*', Resource: '*' }]],
    [
      'it under a condition, or not everywhere',
      [
        ALL,
        { Effect: 'Deny', Action: '*', Resource: '*', Condition: { StringNotEquals: { 'aws:RequestedRegion': 'x' } } },
        { Effect: 'Deny', Action: 'sqs:*', Resource: 'arn:aws:sqs:*:*:finance-*' },
      ],
    ],
  ])('may allow %s', async (_, statements) => {
    expect(await tried(boundaryIs(...statements))).toEqual(['ok | forbids none of 2 actions'])
  })

  it.each([
    ['does not mention an action', [{ Effect: 'Allow', Action: 'dynamodb:*', Resource: '*' }]],
    ['excepts it', [{ Effect: 'Allow', NotAction: ['iam:*', 'sqs:*'], Resource: '*' }]],
    ['denies it', [ALL, { Effect: 'Deny', Action: 'sqs:SendMessage', Resource: '*' }]],
  ])('that %s is refused with its name', async (_, statements) => {
    const refused = 'fail | forbids sqs:SendMessage | allow them there, or name another one'
    expect(await tried(boundaryIs(...statements))).toEqual([refused])
  })

  it('has to exist', async () => {
    expect(await tried({ GetPolicy: () => xmlError('NoSuchEntity', 404) })).toEqual([
      'fail | NoSuchEntity: no | allow it, or find out why AWS refuses',
    ])
  })

  it('may be hidden from whoever deploys', async () => {
    expect(await tried({ GetPolicyVersion: () => xmlError('AccessDenied', 403) })).toEqual([
      'warn | AccessDenied: no | allow it, or find out why AWS refuses',
    ])
  })
})

describe('the key', () => {
  const tried = async (answers: Parameters<typeof tryToDeploy>[1]) =>
    told(await tryToDeploy('platform', answers), 'kmsKeyArn')
  const by = (principal: unknown) => ({ ...KEY_OF_ACCOUNT, Principal: principal })
  const role = 'arn:aws:iam::111122223333:role'

  it.each([
    ['its account', KEY_OF_ACCOUNT],
    ['its account by the number', by({ AWS: ['111122223333'] })],
    ['everybody under a condition', { ...by({ AWS: '*' }), Condition: { StringEquals: { 'kms:CallerAccount': '1' } } }],
    ['roles of the stage', by({ AWS: `${role}/payments/gatehouse-platform-role-hello` })],
  ])('may be open to %s', async (_, statement) => {
    expect(await tried(keyIs([statement, KEY_OF_LOGS]))).toEqual(['ok | enabled, for functions and logs'])
  })

  it.each([
    ['logs', [KEY_OF_ACCOUNT], 'logs.eu-central-1.amazonaws.com'],
    [
      'logs of the region',
      [KEY_OF_ACCOUNT, { ...KEY_OF_LOGS, Principal: { Service: 'logs.eu-west-1.amazonaws.com' } }],
      'logs.eu-central-1.amazonaws.com',
    ],
    [
      'functions',
      [KEY_OF_LOGS, by({ AWS: [`${role}/admin`, 'arn:aws:iam::999999999999:root'] })],
      'roles of the stage',
    ],
    [
      'what functions write',
      [KEY_OF_LOGS, { ...KEY_OF_ACCOUNT, Action: ['kms:Decrypt', 'kms:GenerateDataKey'] }],
      'roles of the stage',
    ],
  ])('that is closed to %s is refused', async (_, policy, whom) => {
    const refused = `fail | its policy does not let ${whom} use it | change the key, or name another one`
    expect(await tried(keyIs(policy))).toEqual([refused])
  })

  it.each([
    [{ KeyState: 'PendingDeletion' }, 'PendingDeletion, and SYMMETRIC_DEFAULT'],
    [{ KeySpec: 'RSA_2048' }, 'Enabled, and RSA_2048'],
  ])('that is %j is refused', async (metadata, what) => {
    expect(await tried(keyIs([KEY_OF_ACCOUNT, KEY_OF_LOGS], metadata))).toEqual([
      `fail | it is ${what} | change the key, or name another one`,
    ])
  })

  it('has to exist', async () => {
    const absent = { 'TrentService.DescribeKey': () => jsonError('NotFoundException') }
    expect(await tried(absent)).toEqual(['fail | NotFoundException: no | allow it, or find out why AWS refuses'])
  })
})

describe('a network', () => {
  const tried = async (stage: string, answers: Parameters<typeof tryToDeploy>[1], check: string) =>
    told(await tryToDeploy(stage, answers), check)
  const refused = `fail | in ${VPC} and vpc-2 | name subnets and groups of one VPC`

  it.each([
    ['platform', 'network', [VPC, 'vpc-2'], [VPC]],
    ['platform', 'network', [VPC], ['vpc-2']],
    ['vpc', 'directorySubnetIds', [VPC], ['vpc-2']],
    ['container', 'adapterVpcId', ['vpc-2'], []],
  ])('of two VPCs is refused for the stage %s: %s %j %j', async (stage, check, subnets, groups) => {
    expect(await tried(stage, vpcsAre(subnets, groups), check)).toEqual([refused])
  })

  it('has to be in the region', async () => {
    const absent = { DescribeSubnets: () => xmlError('InvalidSubnetID.NotFound') }
    expect(await tried('platform', absent, 'network')).toEqual([
      'fail | InvalidSubnetID.NotFound: no | allow it, or find out why AWS refuses',
    ])
  })

  it('is asked for by the ids of its subnets and groups', async () => {
    const { calls } = await tryToDeploy('platform')
    const asked = calls.filter(([operation]) => /^Describe(?:Subnets|SecurityGroups)$/.test(operation))
    expect(asked.map(([, body]) => body)).toEqual([
      expect.objectContaining({ 'SubnetId.1': 'subnet-0123456789abcdef0', 'SubnetId.2': 'subnet-0123456789abcdef1' }),
      expect.objectContaining({ 'GroupId.1': 'sg-0123456789abcdef0', Version: '2016-11-15' }),
    ])
  })
})
