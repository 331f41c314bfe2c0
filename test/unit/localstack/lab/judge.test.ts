import { describe, expect, it } from 'vitest'
import {
  type AnsweredCall,
  type CredentialKind,
  MAXIMUM_CALLS,
  openCallLog,
  type SeenAnswer,
  type SeenCall,
} from '../../../../localstack/lab/call.ts'
import { FAULT_NAMES, type FaultName } from '../../../../localstack/lab/faults.ts'
import { judgeClient } from '../../../../localstack/lab/report.ts'

const BEGIN = Date.parse('2026-11-26T10:00:00Z')

interface Given extends Partial<Omit<SeenAnswer, 'at' | 'issued'>> {
  /** Milliseconds after the beginning. */
  readonly at: number
  /** How long the service took. */
  readonly took?: number
  readonly path?: string
  /** `token 1`, `session 2`, `password`. */
  readonly shows?: string
  readonly issues?: string
}

function credential(text: string) {
  const [kind = 'none', number] = text.split(' ')
  return { kind: kind as CredentialKind, ...(number !== undefined && { digest: text }) }
}

function call({ at, took = 5, path = '/api/auth/info', shows = 'none', issues, ...answer }: Given): AnsweredCall {
  return {
    at: new Date(BEGIN + at),
    method: 'GET',
    path,
    credential: credential(shows),
    answer: {
      at: new Date(BEGIN + at + took),
      status: 200,
      ...answer,
      ...(issues !== undefined && { issued: credential(issues) }),
    },
  }
}

const login = (at: number, issues: string): Given => ({ at, path: '/api/auth/login', shows: 'password', issues })
const taken = (at: number, shows: string): Given => ({ at, shows })
const refused = (at: number, shows: string, tokenStatus?: string): Given => ({ at, shows, status: 401, tokenStatus })

const judged = (fault: FaultName, calls: readonly Given[], furtherCalls = 0) =>
  judgeClient(fault, { calls: calls.map(call), furtherCalls })

type Row = readonly [title: string, verdict: string, calls: readonly Given[]]

const REFUSALS = {
  'expires-soon': 'EXPIRED',
  'rotated-key': 'INVALID_SIGNATURE',
  revoked: 'REVOKED',
} as const

describe.each(Object.entries(REFUSALS) as [keyof typeof REFUSALS, string][])('%s', (fault, status) => {
  const start = [login(0, 'token 1'), refused(100, 'token 1', status)]

  it.each<Row>([
    ['the use of a new token passes', 'passed', [...start, login(200, 'token 2'), taken(300, 'token 2')]],
    ['the use of the refused token fails', 'failed', [...start, refused(200, 'token 1', status)]],
    [
      'the refused token fails even after the use of a new one',
      'failed',
      [...start, login(200, 'token 2'), taken(300, 'token 2'), refused(400, 'token 1', status)],
    ],
    [
      'a second token that is refused and sent again fails',
      'failed',
      [...start, login(200, 'token 2'), refused(300, 'token 2', status), refused(400, 'token 2', status)],
    ],
    [
      'three logins without a use of a new token fail',
      'failed',
      [...start, login(200, 'token 2'), login(300, 'token 3'), login(400, 'token 4')],
    ],
    [
      'a call that was under way at the refusal is not a repetition',
      'passed',
      [...start, { ...refused(103, 'token 1', status), took: 50 }, login(200, 'token 2'), taken(300, 'token 2')],
    ],
    [
      'a refusal for another reason does not count',
      'unfinished',
      [login(0, 'token 1'), refused(9, 'token 1', 'MALFORMED')],
    ],
    [
      'a new token that is answered with 403 was accepted',
      'passed',
      [...start, login(200, 'token 2'), { ...taken(300, 'token 2'), status: 403 }],
    ],
    [
      'a new token that met an error of the service proves nothing',
      fault === 'revoked' ? 'passed' : 'unfinished',
      [...start, login(200, 'token 2'), { ...taken(300, 'token 2'), status: 503 }],
    ],
  ])('%s', (_, verdict, calls) => {
    expect(judged(fault, calls).verdict).toBe(verdict)
  })

  it(`a client that stops after the refusal ${fault === 'revoked' ? 'passes' : 'is unfinished'}`, () => {
    expect(judged(fault, start).verdict).toBe(fault === 'revoked' ? 'passed' : 'unfinished')
  })
})

it.each<Row>([
  [
    'a client that renews its token in time passes',
    'passed',
    [login(0, 'token 1'), taken(100, 'token 1'), login(1500, 'token 2'), taken(3100, 'token 2')],
  ],
  [
    'a client whose first token is still valid is unfinished',
    'unfinished',
    [login(0, 'token 1'), login(500, 'token 2'), taken(2900, 'token 2')],
  ],
  ['a token that is not a later one proves nothing', 'unfinished', [login(0, 'token 1'), taken(3100, 'token 9')]],
])('expires-soon %s', (_, verdict, calls) => {
  expect(judged('expires-soon', calls).verdict).toBe(verdict)
})

it.each<Row>([
  ['one token for two calls passes', 'passed', [login(0, 'token 1'), taken(1, 'token 1'), taken(2, 'token 1')]],
  ['one call is not enough', 'unfinished', [login(0, 'token 1'), taken(1, 'token 1')]],
  [
    'a refused call does not count',
    'unfinished',
    [login(0, 'token 1'), taken(1, 'token 1'), refused(2, 'token 1', 'EXPIRED')],
  ],
  [
    'a new token for each of three calls fails',
    'failed',
    [
      login(0, 'token 1'),
      taken(1, 'token 1'),
      login(2, 'token 2'),
      taken(3, 'token 2'),
      login(4, 'token 3'),
      taken(5, 'token 3'),
    ],
  ],
  ['three logins without any call fail', 'failed', [login(0, 'token 1'), login(1, 'token 2'), login(2, 'token 3')]],
])('clock-skew %s', (_, verdict, calls) => {
  expect(judged('clock-skew', calls).verdict).toBe(verdict)
})

describe('session-ends', () => {
  const session = (at: number, issues: string): Given => ({
    at,
    path: '/login',
    shows: 'password',
    status: 302,
    issues,
  })
  const start = [session(0, 'session 1'), refused(100, 'session 1')]

  it.each<Row>([
    ['a new session that is used passes', 'passed', [...start, session(200, 'session 2'), taken(300, 'session 2')]],
    ['a client that stops is unfinished', 'unfinished', start],
    ['a token instead of a session is not a new session', 'unfinished', [...start, taken(200, 'token 1')]],
  ])('%s', (_, verdict, calls) => {
    expect(judged('session-ends', calls).verdict).toBe(verdict)
  })
})

describe.each([
  ['too-many', 429],
  ['unavailable', 503],
] as const)('%s', (fault, status) => {
  const start = [login(0, 'token 1'), { ...taken(100, 'token 1'), status, retryAfter: 2 }]

  it.each<Row>([
    ['a call that is 50 ms early passes', 'passed', [...start, taken(2055, 'token 1')]],
    ['an earlier call fails', 'failed', [...start, taken(2054, 'token 1')]],
    [
      'a login during the wait is not an early call',
      'passed',
      [...start, login(200, 'token 2'), taken(2105, 'token 2')],
    ],
    [
      'a call that was under way at the refusal is not early',
      'passed',
      [...start, { ...taken(104, 'token 1'), status }, taken(2105, 'token 1')],
    ],
    ['a client that gives up is unfinished', 'unfinished', start],
    ['a client that has only logged in is unfinished', 'unfinished', start.slice(0, 1)],
  ])('%s', (_, verdict, calls) => {
    expect(judged(fault, calls).verdict).toBe(verdict)
  })
})

describe('wrong-challenge', () => {
  const start: readonly Given[] = [login(0, 'token 1'), { ...refused(100, 'token 1'), challenge: 'DPoP' }]
  const asked = (at: number, shows?: string): Given => ({ ...(shows && { shows }), at, status: 401, challenge: 'DPoP' })

  it.each<Row>([
    ['a client that stops passes', 'passed', start],
    ['two more calls without credentials pass', 'passed', [...start, asked(200), asked(300)]],
    ['three more calls fail', 'failed', [...start, asked(200), asked(300), asked(400)]],
    ['credentials of an unrequested scheme fail', 'failed', [...start, asked(200, 'unknown scheme')]],
    ['a cookie does not count as credentials', 'passed', [...start, asked(200, 'session 1')]],
    ['a client without a challenge is unfinished', 'unfinished', start.slice(0, 1)],
  ])('%s', (_, verdict, calls) => {
    expect(judged('wrong-challenge', calls).verdict).toBe(verdict)
  })
})

describe.each(FAULT_NAMES)('below %s', (fault) => {
  it('no call is "not tried"', () => {
    expect(judged(fault, []).verdict).toBe('not tried')
  })

  it('a login without calls is unfinished, and the finding is one sentence', () => {
    const { verdict, finding } = judged(fault, [login(0, 'token 1')])
    expect(verdict).toBe('unfinished')
    expect(finding).toMatch(/^[A-Z][^.]+\.$/)
  })

  it('more calls than the memory holds, without a result, fail', () => {
    expect(judged(fault, [login(0, 'token 1')], 1).verdict).toBe('failed')
  })

  it('a call without an answer decides nothing', () => {
    const { answer: _, ...open } = call(taken(0, 'token 1'))
    expect(judgeClient(fault, { calls: [open], furtherCalls: 0 }).verdict).toBe('unfinished')
  })
})

describe('the memory of the lab is bounded', () => {
  const open: SeenCall = { at: new Date(BEGIN), method: 'GET', path: '/api/auth/info', credential: { kind: 'none' } }

  it('keeps the first calls of a client with a fault, and counts the others', () => {
    const log = openCallLog()
    for (let number = 0; number < MAXIMUM_CALLS + 2; number++) log.add('one', 'revoked', open)
    const { calls, furtherCalls } = log.read('one', 'revoked')
    expect([calls.length, furtherCalls]).toEqual([MAXIMUM_CALLS, 2])
    expect(log.read('one', 'too-many').calls).toEqual([])
  })

  it('removes the client that has been silent longest, not one that still calls', () => {
    const log = openCallLog()
    for (let number = 0; number < 50; number++) log.add(`client-${number}`, 'revoked', open)
    log.add('client-0', 'revoked', open)
    log.add('new', 'revoked', open)
    expect(log.clients).toHaveLength(50)
    expect(log.clients.slice(0, 2)).toEqual(['new', 'client-0'])
    expect(log.clients).not.toContain('client-1')
  })

  it('contains no client with an inherited name like "constructor"', () => {
    expect(openCallLog().read('constructor', 'revoked').calls).toEqual([])
  })
})
