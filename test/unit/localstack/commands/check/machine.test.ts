import { describe, expect, it } from 'vitest'
import {
  checkDataFolder,
  checkPackages,
  checkPorts,
  checkService,
  checkSettings,
  findChromium,
  haveCommands,
  tool,
} from '../../../../../localstack/commands/check/machine.ts'
import { wantedPorts } from '../../../../../localstack/stack/environment.ts'
import { PORT_NAMES, portsAt } from '../../../../../localstack/stack/ports.ts'

it('the packages should be those of the lockfile', () => {
  expect(checkPackages('a', 'a').level).toBe('ok')
  expect(checkPackages(undefined, 'a')).toMatchObject({ level: 'warn', remedy: expect.stringMatching(/npm start/) })
})

describe('the settings', () => {
  it('are valid by default', async () => {
    expect(await checkSettings({})).toEqual([{ level: 'ok', check: 'settings', message: 'valid' }])
  })

  it('are reported one by one if they are wrong, without their values', async () => {
    const wrong = {
      PORT_OFFSET: 'secret',
      SESSION_MAX_SECONDS: 'x',
      LOGIN_FAILURES_PER_USER: '-1',
      ROLE_PERMISSIONS: '[]',
    }
    const findings = await checkSettings(wrong)
    expect(findings.map(({ level, message }) => [level, message.split(':')[0]])).toEqual([
      ['fail', 'LOGIN_FAILURES_PER_USER'],
      ['fail', 'PORT_OFFSET'],
      ['fail', 'ROLE_PERMISSIONS'],
      ['fail', 'SESSION_MAX_SECONDS'],
    ])
    expect(JSON.stringify(findings)).not.toContain('secret')
    for (const finding of findings)
      expect(finding).toMatchObject({ remedy: expect.stringMatching(/docs\/settings\.md/) })
  })
})

describe('the data folder', () => {
  const refuse = (code: string) => () => {
    throw Object.assign(new Error('no'), { code })
  }

  it('can be missing: its nearest existing parent counts', () => {
    const tried: string[] = []
    expect(checkDataFolder('/tmp/not/there', (folder) => void tried.push(folder))).toMatchObject({ level: 'ok' })
    expect(tried).toEqual(['/tmp'])
  })

  it('may not be writable', () => {
    expect(checkDataFolder('/tmp', refuse('EROFS'))).toEqual({
      level: 'fail',
      check: 'data folder',
      message: '/tmp cannot be written (EROFS)',
      remedy: 'make it writable for you, or name another one in DATA_DIR',
    })
  })

  it('can be the memory', () => {
    expect(checkDataFolder('memory', refuse('EACCES')).level).toBe('ok')
  })
})

describe('the ports', () => {
  const except =
    (...taken: readonly number[]) =>
    (port: number) =>
      Promise.resolve(!taken.includes(port))

  it('are free', async () => {
    const [finding, ...more] = await checkPorts(0, PORT_NAMES, except())
    expect(finding?.level).toBe('ok')
    for (const port of Object.values(portsAt(0))) expect(finding?.message).toContain(String(port))
    expect(more).toEqual([])
  })

  it('are reported one by one if they are taken, with an offset at which all are free', async () => {
    expect(await checkPorts(0, PORT_NAMES, except(3000, 4001, 8000, 5003))).toEqual(
      ['3000 (HTTP API)', '8000 (DynamoDB)'].map((port) => ({
        level: 'fail',
        check: 'ports',
        message: `${port} is taken`,
        remedy: 'PORT_OFFSET=3000 moves every port, or end the process that listens there',
      })),
    )
  })

  it('are needed for EventBridge if a destination is a bus', () => {
    expect([wantedPorts({}, true), wantedPorts({}, false)].map((names) => names.includes('events'))).toEqual([
      true,
      false,
    ])
  })

  it('may all be taken', async () => {
    const findings = await checkPorts(0, ['http'], async () => false)
    expect(findings).toMatchObject([{ remedy: expect.stringContaining('PORT_OFFSET=<n>') }])
  })

  it.each<[string, Record<string, string>, readonly string[]]>([
    ['nothing', {}, []],
    ['AWS', { AWS_ENDPOINT_URL: 'http://127.0.0.1:1' }, ['dynamodb', 'sqs', 'events']],
    ['the directory', { LDAP_URL: 'ldap://127.0.0.1:1' }, ['ldap']],
    ['Google', { OAUTH2_GOOGLE_CLIENT_ID: 'id' }, ['google']],
    ['providers that the profile does not use', { PROFILE: 'jwt' }, ['google', 'github', 'facebook', 'ldap']],
  ])('that a setting replaces are not needed: %s', (_, given, unwanted) => {
    expect(wantedPorts(given, true)).toEqual(PORT_NAMES.filter((name) => !unwanted.includes(name)))
  })
})

describe('a running service', () => {
  const without =
    (...silent: readonly string[]) =>
    async (name: string) =>
      !silent.includes(name)

  it('answers on all ports, except the one that the gateway only reserves', async () => {
    const message = 'running, and answers on all its 11 ports'
    expect(await checkService(0, PORT_NAMES, without('websocket'))).toEqual([
      { level: 'ok', check: 'service', message },
    ])
  })

  it('has parts that do not answer', async () => {
    const remedy = 'stop npm start and start it again'
    expect(await checkService(0, PORT_NAMES, without('sqs', 'ldap'))).toMatchObject([
      { level: 'fail', message: 'directory on port 3389 does not answer', remedy },
      { level: 'fail', message: 'SQS on port 9324 does not answer', remedy },
    ])
  })
})

describe('a missing tool', () => {
  const chromium = (isThere: boolean, isNeeded: boolean) => tool('Chromium', isThere, 'the tests', 'chromium', isNeeded)

  it('is reported with the packages that contain it', () => {
    const finding = { check: 'Chromium', message: 'missing, for the tests', remedy: 'apt-get install chromium' }
    expect(chromium(false, false)).toEqual({ level: 'warn', ...finding })
    expect(chromium(false, true)).toEqual({ level: 'fail', ...finding })
    expect(chromium(true, false).level).toBe('ok')
  })

  it('is searched by name', () => {
    expect(haveCommands({ PATH: '/usr/bin:/bin' }, 'sh', 'env')).toBe(true)
    expect(haveCommands({ PATH: '/usr/bin:/bin' }, 'sh', 'no-such-program')).toBe(false)
    expect(haveCommands({}, 'sh')).toBe(false)
  })

  it.each<[string, Record<string, string>, readonly string[], string | undefined]>([
    ['installed', {}, ['/usr/bin/google-chrome'], '/usr/bin/google-chrome'],
    ['named', { CHROMIUM: '/opt/chromium' }, ['/opt/chromium', '/usr/bin/chromium'], '/opt/chromium'],
    ['named, but missing', { CHROMIUM: '/opt/chromium' }, ['/usr/bin/chromium'], undefined],
  ])('a Chromium that is %s', (_, given, there, found) => {
    expect(findChromium(given, (path) => there.includes(path))).toBe(found)
  })
})
