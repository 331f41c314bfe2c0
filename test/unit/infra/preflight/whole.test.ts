import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { preflight } from '../../../../infra/preflight/preflight.ts'
import { command } from '../../../support/command.ts'
import { CHALLENGE, callerIs, jsonError, told, tryToDeploy, xmlError } from '../../../support/deployer.ts'

describe('an account that is ready', () => {
  it.each([
    ['prod', ['stage', 'template', 'credentials', 'region', 'removals', 'rights', 'concurrency', 'secrets']],
    ['container', ['linked roles', 'certificate']],
    ['edge', ['certificate', 'hosted zone', 'firewall', 'challenge']],
  ])('passes for the stage %s', async (stage, checks) => {
    const { findings } = await tryToDeploy(stage, { [CHALLENGE]: () => [200, {}] })
    expect(findings.filter(({ level }) => level !== 'ok')).toEqual([])
    expect(findings.map(({ check }) => check).slice(stage === 'prod' ? 0 : 8)).toEqual(checks)
  })
})

describe('an error before the first call of AWS ends the check', () => {
  it('a stage without a file', async () => {
    const [finding, ...more] = await preflight({ stage: 'nowhere', overrides: [] })
    expect(finding).toMatchObject({ level: 'fail', check: 'stage', message: expect.stringContaining('nowhere.yml') })
    expect(more).toEqual([])
  })

  it('parameters that cannot be deployed', async () => {
    const overrides = ['data=gone', 'retryScanMinutes=0']
    const findings = await preflight({ stage: 'prod', overrides })
    expect(findings.map(({ level, check, message }) => [level, check, message])).toEqual([
      ['fail', 'parameters', 'retryScanMinutes: must be a whole number of minutes, 1 or more'],
      ['fail', 'parameters', 'data: must be kept or disposable'],
    ])
  })
})

describe('the packaged template', () => {
  it('must be of the same stage and parameters', async () => {
    const deployer = await tryToDeploy('prod', {}, [], {
      Metadata: { Gatehouse: { parameters: {}, destinations: [] } },
    })
    expect(told(deployer, 'template')).toEqual([
      'fail | what was packaged last is of another stage, or of other parameters | npx serverless package --stage prod, then this again',
    ])
    expect(told(deployer, 'rights')).toEqual([])
  })

  it('is required, with the command for the parameters of this run, if it is missing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-'))
    vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:1')
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'local')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local')
    const findings = await preflight({ stage: 'prod', overrides: ['logDays=7'], folder })
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true })
    expect(findings.map(({ level, check }) => [level, check])).toEqual([
      ['ok', 'stage'],
      ['fail', 'template'],
      ['fail', 'credentials'],
    ])
    expect(findings[1]).toMatchObject({
      remedy: 'npx serverless package --stage prod --param logDays=7, then this again',
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

  it.each(['root', 'federated-user/ada'])('in %s the rights cannot be checked', async (name) => {
    const deployer = await tryToDeploy('prod', { GetCallerIdentity: callerIs(`arn:aws:sts::111122223333:${name}`) })
    expect(told(deployer, 'rights')).toEqual([
      `warn | IAM cannot judge arn:aws:sts::111122223333:${name} | deploy as a user or role with the rights of docs/deploy.md`,
    ])
  })
})

describe('the settings of the deployed stage', () => {
  const template = JSON.stringify({ Metadata: { Gatehouse: { parameters: { PROFILE: 'jdbc' }, destinations: [] } } })
  const GetTemplate = () =>
    [200, `<R><GetTemplateResult><TemplateBody>${template}</TemplateBody></GetTemplateResult></R>`] as const

  it('are not removed without being named', async () => {
    expect(told(await tryToDeploy('prod', { GetTemplate }), 'removals')).toEqual([
      'fail | This deployment takes away what gatehouse-prod has, PROFILE | set it again, or allow it for this run: --param allowRemoval=PROFILE',
    ])
    expect(told(await tryToDeploy('prod', { GetTemplate }, ['allowRemoval=PROFILE']), 'removals')).toEqual([
      'ok | nothing is taken from the deployed stage',
    ])
  })

  it('must be readable', async () => {
    const deployer = await tryToDeploy('prod', { GetTemplate: () => xmlError('AccessDenied', 403) })
    expect(told(deployer, 'removals')).toEqual([
      'fail | cloudformation:GetTemplate is not allowed | allow it: the deployment asks the same',
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

  it('may be unknown', async () => {
    const denied = { [account]: () => jsonError('AccessDeniedException', 403) }
    expect(told(await tryToDeploy('prod', denied), 'concurrency')).toEqual([
      'warn | not looked at | allow lambda:GetAccountSettings, or look yourself',
    ])
  })
})

describe('npm run preflight', () => {
  it('prints a line for each finding, or one object, and ends with 1 when one fails', async () => {
    const line = /^fail {2}stage {9}there is no \S+nowhere\.yml: .*: docs\/deploy\.md, step 3\n$/
    const { code, stdout } = await command('preflight', ['--stage', 'nowhere'])
    expect([code, stdout]).toEqual([1, expect.stringMatching(line)])
    const { stdout: json } = await command('preflight', ['--stage', 'nowhere', '--json'])
    expect(JSON.parse(json)).toMatchObject({ ok: false, findings: [{ level: 'fail', check: 'stage' }] })
  })
})
