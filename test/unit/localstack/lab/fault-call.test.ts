import { decodeJwt, decodeProtectedHeader } from 'jose'
import { describe, expect, it } from 'vitest'
import { createTokens } from '../../../../lib/auth/token.ts'
import { openCallLog } from '../../../../localstack/lab/call.ts'
import { headerIn, type LabAnswer, type LabRequest } from '../../../../localstack/lab/exchange.ts'
import { faultCall } from '../../../../localstack/lab/fault-call.ts'
import type { FaultName } from '../../../../localstack/lab/faults.ts'
import { labAnswers } from '../../../../localstack/lab/lab.ts'
import { clientReport } from '../../../../localstack/lab/report.ts'
import { labTokens } from '../../../../localstack/lab/tokens.ts'

const BEGIN = Date.parse('2026-11-26T10:00:00.250Z')
const KEYS = [{ kid: 'now', secret: new Uint8Array(64).fill(7) }]
const HOME = { baseUrl: new URL('http://127.0.0.1:3000'), trustedOrigins: ['https://page.example'] }

/** A lab before a service that the test plays: it answers with what it is told to, and keeps what it was sent. */
function openWorld(fault: FaultName) {
  let now = BEGIN
  const clock = { now: () => new Date(now) }
  const log = openCallLog()
  const received: LabRequest[] = []
  let next: LabAnswer = { status: 200, headers: [], body: Buffer.from('{}') }
  const { refusal } = labAnswers(HOME)
  const service = createTokens({ keys: { current: KEYS }, lifetimeSeconds: 3600, clock })

  return {
    service,
    received,
    /** Moves the clock to a number of milliseconds after the beginning. */
    at: (milliseconds: number) => {
      now = BEGIN + milliseconds
    },
    answering: (answer: Partial<LabAnswer>) => {
      next = { ...next, ...answer }
    },
    call: (path: string, headers: LabRequest['headers'] = [], method = 'GET') => {
      const request = { method, path, target: path, headers }
      return faultCall(fault, request, {
        log,
        tokens: labTokens(KEYS),
        clock,
        async passOn(passed) {
          received.push(passed)
          return next
        },
        refusalOf: (given) => refusal(given, request, `/lab/${fault}${path}`, clock.now()),
      })
    },
    report: (name = 'unnamed') => clientReport(name, log, clock).faults.find((one) => one.fault === fault),
  }
}

const bearer = (token: string): LabRequest['headers'] => [['authorization', `Bearer ${token}`]]
const json = (body: object) => Buffer.from(JSON.stringify(body))
const tokenOf = ({ body }: LabAnswer): string => JSON.parse(body.toString()).token
const sentToken = ({ headers }: LabRequest) => headerIn(headers, 'authorization')?.slice('Bearer '.length) ?? ''

describe.each([
  ['too-many', 429],
  ['unavailable', 503],
] as const)('%s', (fault, status) => {
  it('lasts two seconds from the first call that is not a login, and names the remaining time each time', async () => {
    const world = openWorld(fault)
    expect((await world.call('/api/auth/login', [], 'POST')).status).toBe(200)
    for (const [at, wanted, retryAfter] of [
      [5000, status, '2'],
      [5900, status, '2'],
      [6001, status, '1'],
      [6999, status, '1'],
      [7000, 200, undefined],
      [90_000, 200, undefined],
    ] as const) {
      world.at(at)
      const answer = await world.call('/api/auth/info')
      expect([answer.status, headerIn(answer.headers, 'retry-after')]).toEqual([wanted, retryAfter])
    }
  })

  it('begins for each client separately', async () => {
    const world = openWorld(fault)
    await world.call('/api/auth/info')
    world.at(2500)
    expect((await world.call('/api/auth/info')).status).toBe(200)
    expect((await world.call('/api/auth/info', [['x-client-name', 'other']])).status).toBe(status)
  })

  it('a page of a trusted origin may read the refusal, as any other answer', async () => {
    const { headers } = await openWorld(fault).call('/api/auth/info', [['origin', 'https://page.example']])
    expect(headerIn(headers, 'access-control-allow-origin')).toBe('https://page.example')
    expect(headerIn(headers, 'access-control-expose-headers')).toContain('Retry-After')
  })
})

it.each(['expires-soon', 'clock-skew'] as const)(
  'a token of %s does not outlive the one that it is made of',
  async (fault) => {
    const world = openWorld(fault)
    const short = createTokens({ keys: { current: KEYS }, lifetimeSeconds: 2, clock: { now: () => new Date(BEGIN) } })
    const real = await short.issue('ada', 'ROLE_USER')
    world.answering({ body: json({ token: real }) })
    await world.call('/api/auth/info', bearer(tokenOf(await world.call('/api/auth/login', [], 'POST'))))
    expect(decodeJwt(sentToken(world.received[1] as LabRequest)).exp).toBe(decodeJwt(real).exp)
  },
)

describe('expires-soon', () => {
  it('the token of the login ends three seconds after the second of its issue, and is the service’s own', async () => {
    const world = openWorld('expires-soon')
    const token = await world.service.issue('ada', 'ROLE_USER', 'uid-1')
    world.answering({ body: json({ token, username: 'ada' }) })
    const answer = await world.call('/api/auth/login', [], 'POST')
    const { exp, iat, ...claims } = decodeJwt(tokenOf(answer))
    const { exp: _, iat: issuedAt, ...real } = decodeJwt(token)
    expect([claims, iat, exp]).toEqual([real, issuedAt, (issuedAt ?? 0) + 3])
    expect(await world.service.verify(tokenOf(answer))).toMatchObject({ username: 'ada' })
  })

  it('a refused login is passed on unchanged', async () => {
    const world = openWorld('expires-soon')
    world.answering({ status: 401, body: json({ token: 'no token' }) })
    expect(tokenOf(await world.call('/api/auth/login', [], 'POST'))).toBe('no token')
  })
})

describe('clock-skew', () => {
  it('a token is expired by the clock of the client, and is valid when it reaches the service', async () => {
    const world = openWorld('clock-skew')
    world.answering({ body: json({ token: await world.service.issue('ada', 'ROLE_USER') }) })
    const token = tokenOf(await world.call('/api/auth/login', [], 'POST'))
    const seconds = Math.floor(BEGIN / 1000)
    expect(decodeJwt(token)).toMatchObject({ iat: seconds - 300, exp: seconds - 60 })
    await world.call('/api/auth/info', bearer(token))
    expect(await world.service.verify(sentToken(world.received[1] as LabRequest))).toMatchObject({ username: 'ada' })
    world.at(241_000)
    await expect(async () => world.service.verify(sentToken(world.received[1] as LabRequest))).rejects.toMatchObject({
      code: 'TOKEN_EXPIRED',
    })
  })

  it('a token that the lab did not make reaches the service unchanged, and one that it made has its first id and time', async () => {
    const world = openWorld('clock-skew')
    const real = await world.service.issue('ada', 'ROLE_ADMIN')
    world.answering({ body: json({ token: real }) })
    const made = tokenOf(await world.call('/api/auth/login', [], 'POST'))
    await world.call('/api/users', bearer(real), 'POST')
    await world.call('/api/users', bearer(made), 'POST')
    const [, passed, ahead] = world.received.map(sentToken)
    expect(passed).toBe(real)
    const { jti, iat, exp = 0 } = decodeJwt(real)
    expect(decodeJwt(ahead ?? '')).toMatchObject({ jti, iat })
    expect(decodeJwt(ahead ?? '').exp).toBeLessThan(exp)
    await world.call('/api/users', bearer(ahead ?? ''), 'POST')
    expect(world.received.map(sentToken)[3]).toBe(ahead)
  })

  it('times in headers and members are those of the service, and texts with a time are unchanged', async () => {
    const world = openWorld('clock-skew')
    world.answering({
      headers: [
        ['content-type', 'application/json'],
        ['date', 'Thu, 26 Nov 2026 10:00:00 GMT'],
      ],
      body: json({ at: '2026-11-26T10:00:00.000Z', payload: '{"at":"2026-11-26T10:00:00.000Z"}', day: '2026-11-26' }),
    })
    const { headers, body } = await world.call('/api/webhooks/events')
    expect(headerIn(headers, 'date')).toBe('Thu, 26 Nov 2026 09:55:00 GMT')
    expect(JSON.parse(body.toString())).toEqual({
      at: '2026-11-26T09:55:00.000Z',
      payload: '{"at":"2026-11-26T10:00:00.000Z"}',
      day: '2026-11-26',
    })
  })
})

describe('rotated-key', () => {
  it('the service gets the first token signed with an unknown key, and later ones unchanged', async () => {
    const world = openWorld('rotated-key')
    const tokens = [await world.service.issue('ada', 'ROLE_USER'), await world.service.issue('ada', 'ROLE_USER')]
    for (const token of [...tokens, tokens[0]]) await world.call('/api/auth/info', bearer(token ?? ''))
    const [first = '', second, third = ''] = world.received.map(sentToken)
    expect(second).toBe(tokens[1])
    for (const token of [first, third]) {
      expect(decodeProtectedHeader(token).kid).toBe('rotated-out')
      await expect(async () => world.service.verify(token)).rejects.toMatchObject({
        details: { tokenStatus: 'INVALID_SIGNATURE' },
      })
    }
  })

  it('a token of another issuer is passed on unchanged', async () => {
    const world = openWorld('rotated-key')
    await world.call('/api/auth/info', bearer('a.b.c'))
    expect(world.received.map(sentToken)).toEqual(['a.b.c'])
  })
})

it('revoked the first token is refused wherever tokens count, without a call of the service', async () => {
  const world = openWorld('revoked')
  expect((await world.call('/api/public/hello', bearer('one'))).status).toBe(200)
  const refused = await world.call('/api/auth/info', bearer('one'))
  expect(JSON.parse(refused.body.toString())).toMatchObject({ details: { tokenStatus: 'REVOKED' } })
  expect(headerIn(refused.headers, 'www-authenticate')).toBe('Bearer realm="API", error="invalid_token"')
  expect((await world.call('/api/auth/info', bearer('two'))).status).toBe(200)
  expect(world.received).toHaveLength(2)
})

it('session-ends the service never receives the first session again, not even at the next login, and other cookies are kept', async () => {
  const world = openWorld('session-ends')
  const cookies = (id: string): LabRequest['headers'] => [['cookie', `XSRF-TOKEN=x; JSESSIONID=${id}; a=b`]]
  await world.call('/login', cookies('old'), 'POST')
  await world.call('/api/auth/info', cookies('one'))
  await world.call('/login', cookies('one'), 'POST')
  await world.call('/api/auth/info', cookies('two'))
  expect(world.received.map(({ headers }) => headerIn(headers, 'cookie'))).toEqual([
    'XSRF-TOKEN=x; JSESSIONID=old; a=b',
    'XSRF-TOKEN=x; a=b',
    'XSRF-TOKEN=x; a=b',
    'XSRF-TOKEN=x; JSESSIONID=two; a=b',
  ])
})

describe('wrong-challenge', () => {
  it('the service receives no credentials, and its 401 has another challenge, under the name from AWS as well', async () => {
    const world = openWorld('wrong-challenge')
    world.answering({ status: 401, headers: [['x-amzn-remapped-www-authenticate', 'Bearer realm="API"']] })
    const sent: LabRequest['headers'] = [
      ...bearer('t'),
      ['x-api-key', 'k'],
      ['cookie', 'JSESSIONID=s'],
      ['accept', '*/*'],
    ]
    const { headers } = await world.call('/api/auth/info', sent)
    expect(world.received[0]?.headers).toEqual([['accept', '*/*']])
    expect(headers).toEqual([['www-authenticate', 'DPoP realm="API", algs="ES256"']])
  })

  it('a wrong password receives the real challenge', async () => {
    const world = openWorld('wrong-challenge')
    world.answering({ status: 401, headers: [['www-authenticate', 'Bearer realm="API"']] })
    const { headers } = await world.call('/api/auth/login', [], 'POST')
    expect(headerIn(headers, 'www-authenticate')).toBe('Bearer realm="API"')
  })
})

describe('the recorded part', () => {
  it.each<[string, LabRequest['headers'], string]>([
    ['nothing', [], 'none'],
    ['a token', bearer('secret'), 'token 1'],
    ['Basic', [['authorization', 'basic c2VjcmV0OnNlY3JldA==']], 'password'],
    ['a token without a scheme', [['authorization', 'secret']], 'unknown scheme'],
    ['an API key', [['x-api-key', 'secret']], 'API key'],
    ['a session', [['cookie', 'JSESSIONID=secret']], 'session 1'],
    ['a token with a session', [...bearer('secret'), ['cookie', 'JSESSIONID=secret']], 'token 1'],
  ])('of %s is only the kind', async (_, headers, credentials) => {
    const world = openWorld('too-many')
    await world.call(`/api/${'p'.repeat(300)}?secret`.split('?')[0] ?? '', headers)
    expect(world.report()?.calls).toMatchObject([{ credentials }])
    expect(world.report()?.calls[0]?.path).toHaveLength(200)
    expect(JSON.stringify(world.report())).not.toContain('secret')
  })

  it('numbers distinguish tokens, in the order of their first use', async () => {
    const world = openWorld('too-many')
    for (const token of ['a', 'b', 'a']) await world.call('/api/auth/info', bearer(token))
    expect(world.report()?.calls.map(({ credentials }) => credentials)).toEqual(['token 1', 'token 2', 'token 1'])
  })

  it('a call that no client can have sent under its name is refused and not recorded', async () => {
    const world = openWorld('too-many')
    for (const name of ['', 'a b', 'ä', 'x'.repeat(65), '../x']) {
      await expect(world.call('/api/auth/info', [['x-client-name', name]])).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
      })
    }
    expect(world.received).toEqual([])
  })
})
