import { describe, expect, it, vi } from 'vitest'
import { checkStage } from '../../../../infra/check/stage.ts'
import type { Finding } from '../../../../infra/finding.ts'
import { jsonError, told, tryToDeploy, xmlError } from '../../../support/deployer.ts'
import { temporaryFolder } from '../../../support/stack.ts'

const checksOf = (findings: readonly Finding[]) => findings.map(({ level, check }) => `${level} ${check}`)

it.each(['prod', 'container', 'edge'])('an account that is ready passes for the stage %s', async (stage) => {
  const { findings } = await tryToDeploy(stage)
  const checks = [`stage ${stage}`, 'template', 'credentials', 'region', 'concurrency', 'secrets']
  expect(checksOf(findings)).toEqual(checks.map((check) => `ok ${check}`))
})

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
    const findings = await checkStage({ stage: 'prod', overrides: ['logDays=7'], folder: folder.path })
    vi.unstubAllEnvs()
    folder.remove()
    expect(findings.map(({ level, check }) => [level, check])).toEqual([
      ['ok', 'stage prod'],
      ['fail', 'template'],
      ['fail', 'credentials'],
      ...['region', 'concurrency', 'secrets'].map((check) => ['skipped', check]),
    ])
    expect(findings[1]).toMatchObject({
      remedy: 'npx gatehouse package --stage prod --param logDays=7, then this again',
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
