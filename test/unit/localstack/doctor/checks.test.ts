import { describe, expect, it } from 'vitest'
import { findChromium } from '../../../../localstack/doctor/chromium.ts'
import { checkCredentials } from '../../../../localstack/doctor/credentials.ts'
import { checkDataFolder } from '../../../../localstack/doctor/data-folder.ts'
import { checkPorts } from '../../../../localstack/doctor/ports.ts'
import { checkNode, checkNpm, checkPackages } from '../../../../localstack/doctor/runtime.ts'
import { checkClock, checkService } from '../../../../localstack/doctor/service.ts'
import { checkSettings } from '../../../../localstack/doctor/settings.ts'
import { checkTool, haveCommands, type Tool } from '../../../../localstack/doctor/tools.ts'
import { wantedPorts } from '../../../../localstack/environment.ts'
import { PORT_NAMES, portsAt } from '../../../../localstack/ports.ts'
import { START } from '../../../support/fakes/clock.ts'

describe('the present version of Node', () => {
  it.each([
    ['v18.20.8', 'install Node.js 20.19 or newer, https://nodejs.org/en/download'],
    ['v20.18.3', 'install Node.js 20.19 or newer, https://nodejs.org/en/download'],
    ['v20.19.0', "run it through npm once npm start has brought the project's own Node.js 24"],
    ['v22.1.0', "run it through npm once npm start has brought the project's own Node.js 24"],
  ])('%s is too old', (version, remedy) => {
    expect(checkNode(version)).toEqual({ level: 'fail', check: 'Node.js', message: `${version} is too old`, remedy })
  })

  it.each(['v24.0.0', 'v24.21.0', 'v26.1.0'])('%s is accepted', (version) => {
    expect(checkNode(version).level).toBe('ok')
  })

  it('npm must exist, and the packages should be those of the lockfile', () => {
    expect([checkNpm('11.0.0').level, checkNpm(undefined).level]).toEqual(['ok', 'fail'])
    expect(checkPackages({ installed: 'a', wanted: 'a' }).level).toBe('ok')
    expect(checkPackages({ installed: undefined, wanted: 'a' })).toMatchObject({
      level: 'warn',
      remedy: expect.stringMatching(/npm start/),
    })
  })
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
    expect(checkDataFolder('/tmp/not/there', (folder) => tried.push(folder))).toMatchObject({ level: 'ok' })
    expect(tried).toEqual(['/tmp'])
  })

  it.each(['EACCES', 'EROFS', 'ENOTDIR'])('cannot be written: %s', (code) => {
    expect(checkDataFolder('/tmp', refuse(code))).toEqual({
      level: 'fail',
      check: 'data folder',
      message: `/tmp cannot be written (${code})`,
      remedy: 'make it writable for you, or name another one in DATA_DIR',
    })
  })

  it('can be the memory', () => {
    expect(checkDataFolder('memory', refuse('EACCES')).level).toBe('ok')
  })
})

describe('the ports', () => {
  const ports = portsAt(0)
  const takenAt = (...taken: readonly number[]) => ({
    offset: 0,
    portsAt,
    wanted: PORT_NAMES,
    isFree: async (port: number) => !taken.includes(port),
  })

  it('are free', async () => {
    const [finding, ...more] = await checkPorts(takenAt())
    expect(finding?.level).toBe('ok')
    for (const port of Object.values(ports)) expect(finding?.message).toContain(String(port))
    expect(more).toEqual([])
  })

  it('are reported one by one if they are taken, with an offset at which all are free', async () => {
    expect(await checkPorts(takenAt(3000, 4001, 8000, 5003))).toEqual(
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

  it('stay within the range of ports', async () => {
    const high = { offset: 0, portsAt: (offset: number) => ({ ...portsAt(offset), ws: 65_000 + offset }) }
    const findings = await checkPorts({ ...high, wanted: ['ws'], isFree: async (port) => port !== 65_000 })
    expect(findings).toMatchObject([{ remedy: expect.stringContaining('PORT_OFFSET=<n>') }])
  })

  it('may all be taken', async () => {
    const findings = await checkPorts({ offset: 0, portsAt, wanted: ['http'], isFree: async () => false })
    expect(findings).toMatchObject([{ remedy: expect.stringContaining('PORT_OFFSET=<n>') }])
  })

  it.each<[string, Record<string, string>, readonly string[]]>([
    ['nothing', {}, []],
    ['DynamoDB', { AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1' }, ['dynamodb']],
    ['AWS', { AWS_ENDPOINT_URL: 'http://127.0.0.1:1' }, ['dynamodb', 'sqs', 'events', 'logs']],
    ['the directory', { LDAP_URL: 'ldap://127.0.0.1:1' }, ['ldap']],
    ['Google', { OAUTH2_GOOGLE_CLIENT_ID: 'id' }, ['google']],
    ['providers that the profile does not use', { PROFILE: 'jwt' }, ['google', 'github', 'facebook', 'ldap']],
  ])('that a setting replaces are not needed: %s', (_, given, unwanted) => {
    expect(wantedPorts(given, true)).toEqual(PORT_NAMES.filter((name) => !unwanted.includes(name)))
  })
})

describe('a running service', () => {
  const probe = (silent: readonly string[]) => ({
    ports: portsAt(0),
    wanted: PORT_NAMES,
    answers: async (name: string) => !silent.includes(name),
  })

  it('answers on all ports, except the one that the gateway only reserves', async () => {
    const message = 'running, and answers on all its 12 ports'
    expect(await checkService(probe(['websocket']))).toEqual([{ level: 'ok', check: 'service', message }])
  })

  it('has parts that do not answer', async () => {
    expect(await checkService(probe(['sqs', 'ldap']))).toMatchObject([
      { level: 'fail', message: 'directory on port 3389 does not answer', remedy: expect.stringMatching(/npm start/) },
      {
        level: 'fail',
        message: 'SQS and SNS on port 9324 does not answer',
        remedy: expect.stringMatching(/npm start/),
      },
    ])
  })

  it.each<[string, number | undefined, string]>([
    ['ok', undefined, '2026-01-02T03:04:05.000Z'],
    ['ok', -1500, 'that of the running service'],
    ['warn', 30_000, '30 s from that of the running service'],
    ['fail', -3_600_000, '3600 s from that of the running service'],
  ])('has a clock: %s %s', (level, skew, message) => {
    const service = skew === undefined ? undefined : { date: new Date(START.getTime() + skew), answeredAt: START }
    expect(checkClock(START, service)).toMatchObject({ level, message })
  })

  it('was started on no past day', () => {
    expect(checkClock(new Date('1970-01-01'), undefined)).toMatchObject({
      level: 'fail',
      remedy: expect.stringMatching(/timedatectl/),
    })
  })
})

describe('a missing tool', () => {
  const tool: Tool = { check: 'Chromium', isThere: false, use: 'the tests', packages: 'chromium', isNeeded: false }

  it('is reported with the packages that contain it', () => {
    const finding = { check: 'Chromium', message: 'missing, for the tests', remedy: 'apt-get install chromium' }
    expect(checkTool(tool)).toEqual({ level: 'warn', ...finding })
    expect(checkTool({ ...tool, isNeeded: true })).toEqual({ level: 'fail', ...finding })
    expect(checkTool({ ...tool, isThere: true }).level).toBe('ok')
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
    ['missing', {}, [], undefined],
  ])('a Chromium that is %s', (_, given, there, found) => {
    expect(findChromium(given, (path) => there.includes(path))).toBe(found)
  })
})

describe('credentials for AWS', () => {
  const found = async () => ({ accessKeyId: 'AKIA' })
  const missing = () => Promise.reject(new Error('none'))

  it.each([
    ['local', missing, 'ok'],
    ['prod', found, 'ok'],
    ['prod', missing, 'fail'],
  ])('on the stage %s', async (stage, find, level) => {
    expect(await checkCredentials(stage, find)).toMatchObject({ level })
  })

  it('are not shown, and if they are missing the remedy is named', async () => {
    expect(JSON.stringify(await checkCredentials('prod', found))).not.toContain('AKIA')
    expect(await checkCredentials('prod', missing)).toMatchObject({ remedy: expect.stringMatching(/aws configure/) })
  })
})
