import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { stageParameters, wrongOverrides, wrongStage } from '../../../infra/stages.ts'
import { temporaryFolder } from '../../support/stack.ts'

const { path: folder, remove } = temporaryFolder()
afterAll(remove)
beforeEach(() => vi.stubEnv('STAGES_DIR', folder))
afterEach(() => vi.unstubAllEnvs())

const stage = (text: string, name = 'blue') => writeFileSync(join(folder, `${name}.yml`), text)

describe('the file of a stage', () => {
  it('overrides the defaults, and the command line overrides the file', () => {
    stage('logDays: 7\nPROFILE: jdbc\nedgeEnabled: true\nretryScanMinutes: 9\n')
    expect(stageParameters('blue', ['retryScanMinutes=1'])).toMatchObject({
      region: 'eu-central-1',
      logDays: 7,
      PROFILE: 'jdbc',
      edgeEnabled: 'true',
      retryScanMinutes: '1',
      secretsPrefix: 'gatehouse/blue',
    })
    expect(stageParameters('blue', [], 'shop')['secretsPrefix']).toBe('shop/blue')
    expect(wrongStage('blue')).toEqual([])
  })

  it('contains settings of the functions and of the container', () => {
    stage('LDAP_URL: ldaps://directory.example\nSTOMP_BODY_BYTES: 180000\n')
    expect(wrongStage('blue')).toEqual([])
  })

  it.each(['', '# nothing yet\n'])('may be empty, %j: then tables are kept', (text) => {
    stage(text)
    expect(wrongStage('blue')).toEqual([])
    expect(stageParameters('blue', [])).toMatchObject({ data: 'kept' })
  })

  it('sets the address of the service to that of its domain by default', () => {
    stage('domainName: hooks.example.com\n')
    expect(stageParameters('blue', [])['baseUrl']).toBe('https://hooks.example.com')
    stage('domainName: hooks.example.com\nbaseUrl: https://other.example.com\n')
    expect(stageParameters('blue', [])['baseUrl']).toBe('https://other.example.com')
    stage('')
    expect(stageParameters('blue', [])['baseUrl']).toEqual({ 'Fn::Sub': expect.stringContaining('.execute-api.') })
  })

  it('must exist: the error names the existing stages, and how to create one', () => {
    stage('')
    stage('', 'green')
    expect(wrongStage('red')).toEqual([
      `there is no ${join(folder, 'red.yml')}: copy the file of another stage (blue, green) and change it; see docs/deploy.md`,
    ])
  })

  it.each([
    ['logdays: 7', 'logdays is neither a parameter (docs/deploy.md) nor a setting (docs/settings.md)'],
    ['JWT_KEYS: a:b', 'JWT_KEYS is a secret and belongs into "tokens" of Secrets Manager: docs/rotation.md'],
    [
      'LDAP_BIND_PASSWORD: x',
      'LDAP_BIND_PASSWORD is a secret and belongs into "directory" of Secrets Manager: docs/rotation.md',
    ],
    ['TRUSTED_PROXIES: [10.0.0.0/8]', 'TRUSTED_PROXIES must be a text or a number'],
    ['- logDays', 'must have lines of "name: value"'],
    ['logDays: 7\nlogDays: 8', expect.stringContaining('Map keys must be unique')],
  ])('is refused with %j', (text, why) => {
    stage(text)
    const [said = '', ...others] = wrongStage('blue')
    expect([said.slice(`${join(folder, 'blue.yml')}: `.length), others]).toEqual([why, []])
  })
})

it.each([
  ['TRUSTED_PROXIES=10.0.0.0/8', []],
  ['edgeEnable=true', [expect.stringContaining('edgeEnable is neither')]],
  ['JWT_KEYS=a:b', [expect.stringContaining('is a secret')]],
])('--param %s', (override, wrong) => {
  expect(wrongOverrides([override])).toEqual(wrong)
})

it('a local run reads its settings from the environment, and needs no file', () => {
  vi.stubEnv('PROFILE', 'ldap')
  vi.stubEnv('BASE_URL', 'http://127.0.0.1:3000')
  expect(wrongStage('local')).toEqual([])
  expect(stageParameters('local', [])).toMatchObject({
    PROFILE: 'ldap',
    baseUrl: 'http://127.0.0.1:3000',
    secretsPrefix: '',
  })
})
