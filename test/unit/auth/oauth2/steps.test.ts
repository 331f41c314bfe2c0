import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recordSteps } from '../../../../lib/auth/oauth2/steps.ts'
import type { CheckName, LoginStep } from '../../../../lib/contract/login-steps.ts'
import { anyText } from '../../../support/any-text.ts'

const CALLBACK = new URL('https://gatehouse.example/login/oauth2/code/google')

function callbackWith(parameters: Readonly<Record<string, string>>): LoginStep {
  const recorder = recordSteps()
  const url = new URL(`?${new URLSearchParams(parameters)}`, CALLBACK)
  recorder.made('callback', { method: 'GET', url })
  return recorder.steps()[0] as LoginStep
}

/** What the codes and tokens of providers look like, and what nobody thought of. */
const secret = fc.oneof(
  fc.base64String({ minLength: 8, maxLength: 2000 }),
  anyText({ minLength: 8, maxLength: 200 }),
  fc.uint8Array({ minLength: 4, maxLength: 64 }).map((bytes) => Buffer.from(bytes).toString('hex')),
)

const SECRETS = [
  'code',
  'state',
  'nonce',
  'code_verifier',
  'code_challenge',
  'client_secret',
  'access_token',
  'refresh_token',
  'id_token',
]

describe('a recorded step', () => {
  it('has an address without its query, and the parameters of query and body', () => {
    const recorder = recordSteps()
    const url = new URL('https://user:pass@idp.example/token?scope=openid#part')
    const parameters = new URLSearchParams({ grant_type: 'authorization_code', code: '0123456789abcdef' })
    recorder.made('token', { method: 'POST', url, parameters }, { status: 200, body: { expires_in: 3600, list: [1] } })
    expect(recorder.steps()).toMatchObject([
      {
        name: 'token',
        method: 'POST',
        url: 'https://idp.example/token',
        sent: [
          { name: 'scope', value: 'openid' },
          { name: 'grant_type', value: 'authorization_code' },
          { name: 'code', value: '0123…' },
        ],
        answer: {
          status: 200,
          fields: [
            { name: 'expires_in', value: '3600' },
            { name: 'list', value: '…' },
          ],
        },
      },
    ])
  })

  it('has its fixed position, independent of the time of recording', () => {
    const recorder = recordSteps()
    for (const name of ['emails', 'user', 'token', 'callback', 'authorization'] as const) {
      recorder.made(name, { method: 'GET', url: CALLBACK })
    }
    const names = recorder.steps().map(({ name }) => name)
    expect(names).toEqual(['authorization', 'callback', 'token', 'user', 'emails'])
  })

  it.each<[string, unknown]>([
    ['a list', [{ email: 'ada@example.com' }]],
    ['null', null],
  ])('shows no field of an answer that is %s', (_, body) => {
    const recorder = recordSteps()
    recorder.made('emails', { method: 'GET', url: CALLBACK }, { status: 200, body })
    expect(recorder.steps()[0]?.answer).toEqual({ status: 200, fields: [] })
  })

  it.each([
    ['scope', 'x'.repeat(97), `${'x'.repeat(96)}…`],
    ['scope', 'openid\n', '…'],
    ['state', '0123456789abcde', '…'],
    ['constructor', 'x', '…'],
    ['scope', 'x'.repeat(96), 'x'.repeat(96)],
  ])('shows of %s=%s: %s', (name, value, shown) => {
    expect(callbackWith({ [name]: value }).sent).toEqual([{ name, value: shown }])
  })
})

describe('the fields of a step', () => {
  const VALUE = '0123456789abcdef'

  it.each([
    [
      'whole',
      VALUE,
      'response_type client_id redirect_uri scope code_challenge_method grant_type token_type expires_in',
    ],
    [
      'whole, where checks compare them',
      VALUE,
      'iss error registration algorithm signature issuer audience expiry subject fields',
    ],
    ['shortened', '0123…', 'state nonce code code_challenge code_verifier'],
    ['shortened, when they are tokens', '0123…', 'access_token id_token refresh_token'],
    ['hidden', '…', 'client_secret password email name sub error_description x'],
  ])('are shown %s', (_, shown, names) => {
    for (const name of names.split(' ')) expect(callbackWith({ [name]: VALUE }).sent).toEqual([{ name, value: shown }])
  })

  it.each([
    ['is empty', ''],
    ['is longer than 32 characters', 'x'.repeat(33)],
    ['ends with a line break', 'a\n'],
  ])('are left out when their name %s', (_, name) => {
    expect(callbackWith({ [name]: 'x', scope: 'openid' }).sent).toEqual([{ name: 'scope', value: 'openid' }])
  })

  it('are ten at most', () => {
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`p${index}`, 'x']))
    expect(callbackWith(many).sent.map(({ name }) => name)).toEqual(Object.keys(many).slice(0, 10))
  })

  it('are hidden when they are nested, although they are not secret by name', () => {
    const recorder = recordSteps()
    const body = { scope: { secret: 's' }, iss: ['s'], token_type: 'Bearer', expires_in: 1, fields: null }
    recorder.made('token', { method: 'POST', url: CALLBACK }, { status: 200, body })
    expect(recorder.steps()[0]?.answer?.fields).toEqual([
      { name: 'scope', value: '…' },
      { name: 'iss', value: '…' },
      { name: 'token_type', value: 'Bearer' },
      { name: 'expires_in', value: '1' },
      { name: 'fields', value: '…' },
    ])
  })
})

describe('O15 the recorded part of a secret', () => {
  it('has four characters at most, in any request or answer', () => {
    fc.assert(
      fc.property(secret, fc.constantFrom(...SECRETS), (value, name) => {
        const recorder = recordSteps()
        const parameters = new URLSearchParams({ [name]: value })
        const message = { method: 'POST', url: new URL(`?${parameters}`, CALLBACK), parameters }
        recorder.made('token', message, { status: 200, body: { [name]: value } })
        const [step] = recorder.steps()
        for (const kept of [step?.sent[0]?.value, step?.sent[1]?.value, step?.answer?.fields[0]?.value]) {
          expect(kept).toMatch(/^[ -~]{0,4}…$/)
          expect(value.startsWith(String(kept).slice(0, -1))).toBe(true)
          expect(value.length >= 16 || kept === '…').toBe(true)
        }
      }),
    )
  })

  it('is empty under an unknown name', () => {
    fc.assert(
      fc.property(secret, fc.stringMatching(/^x_[a-z]{1,20}$/), (value, name) => {
        expect(callbackWith({ [name]: value }).sent).toEqual([{ name, value: '…' }])
      }),
    )
  })

  it('is shortened in the value of a check as well', () => {
    const recorder = recordSteps()
    recorder.made('token', { method: 'POST', url: CALLBACK })
    recorder.passed('nonce', 'n'.repeat(43))
    expect(recorder.steps()[0]?.checks).toContainEqual({ name: 'nonce', result: 'PASSED', value: 'nnnn…' })
  })
})

describe('the checks of a step', () => {
  it('are those that passed, and those that replace the others', () => {
    const recorder = recordSteps()
    recorder.made('callback', { method: 'GET', url: CALLBACK })
    recorder.made('token', { method: 'POST', url: CALLBACK })
    recorder.passed('transaction')
    recorder.passed('issuer', 'https://idp.example')
    const [callback, token] = recorder.steps()
    expect(callback?.checks).toEqual([
      { name: 'transaction', result: 'PASSED', value: undefined },
      { name: 'iss', result: 'NOT_SENT' },
    ])
    expect(token?.checks.map(({ name, result }) => [name, result])).toEqual([
      ['code', 'BY_PROVIDER'],
      ['pkce', 'BY_PROVIDER'],
      ['algorithm', 'REPLACED'],
      ['expiry', 'REPLACED'],
      ['issuer', 'PASSED'],
      ['audience', 'REPLACED'],
      ['nonce', 'REPLACED'],
      ['signature', 'REPLACED'],
    ])
  })

  it('contain the subject as replaced in the step of the user, if no token named it', () => {
    const recorder = recordSteps()
    recorder.made('user', { method: 'GET', url: CALLBACK })
    expect(recorder.steps()[0]?.checks).toEqual([{ name: 'subject', result: 'REPLACED' }])
  })
})

describe('the checks of a refused login', () => {
  const checksBefore = (refused: CheckName) => {
    const recorder = recordSteps()
    for (const name of ['callback', 'token', 'user'] as const) recorder.made(name, { method: 'GET', url: CALLBACK })
    recorder.passed('state', '0123456789abcdef')
    const checks = recorder.stepsUntil(refused).flatMap((step) => step.checks)
    return checks.map(({ name, result }) => `${name} ${result}`)
  }

  it.each<[CheckName, readonly string[]]>([
    ['transaction', []],
    ['state', ['transaction PASSED']],
    ['iss', ['transaction PASSED', 'state PASSED', 'registration PASSED']],
    ['answer', ['transaction PASSED', 'state PASSED', 'registration PASSED', 'iss NOT_SENT']],
  ])('end before %s', (refused, checks) => {
    expect(checksBefore(refused)).toEqual(checks)
  })

  it('are all those of an ID token before the one that refused', () => {
    const ofToken = (refused: CheckName) => checksBefore(refused).slice(7)
    expect(checksBefore('algorithm').slice(5)).toEqual(['code BY_PROVIDER', 'pkce BY_PROVIDER'])
    expect(ofToken('algorithm')).toEqual([])
    expect(ofToken('issuer')).toEqual(['algorithm PASSED', 'expiry PASSED'])
  })

  it('are replaced if there was no ID token, and the user is refused', () => {
    expect(checksBefore('subject').slice(7)).toEqual(
      ['algorithm', 'expiry', 'issuer', 'audience', 'nonce', 'signature'].map((name) => `${name} REPLACED`),
    )
  })
})

it('the record of steps can use all of 4 KB', () => {
  const withPath = (length: number) => {
    const recorder = recordSteps()
    const parameters = Array.from({ length: 10 }, (_, index) => [`p${index}`.padEnd(32, 'x'), ''] as const)
    const url = (path: string) => new URL(`https://idp.example/${path}`)
    for (const name of ['authorization', 'callback', 'token', 'keys'] as const) {
      recorder.made(name, { method: 'POST', url: url(''), parameters }, { status: 200, body: {} })
    }
    recorder.made('user', { method: 'x'.repeat(length), url: url('') })
    return recorder.steps()
  }
  const lengthOf = (steps: readonly LoginStep[]) => steps.reduce((sum, step) => sum + JSON.stringify(step).length, 0)
  const room = 4096 - lengthOf(withPath(0))
  expect([room, room + 1].map((length) => withPath(length).length)).toEqual([5, 4])
})

/** Of any host and path; fast-check's own web addresses take it a second to prepare. */
const webAddress = fc
  .tuple(fc.constantFrom('http', 'https'), fc.stringMatching(/^[a-z][a-z0-9]{0,62}$/), fc.array(anyText()))
  .map(([scheme, host, path]) => `${scheme}://${[`${host}.example`, ...path.map(encodeURIComponent)].join('/')}`)

it('the record of steps uses at most 4 KB for any provider, and then keeps the first ones', () => {
  const names = ['authorization', 'callback', 'token', 'keys', 'user', 'emails'] as const
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.string({ maxLength: 500 })), webAddress, (given, address) => {
      const recorder = recordSteps()
      const parameters = Object.entries({ ...given, redirect_uri: address.repeat(20), scope: 'x'.repeat(2000) })
      for (const name of names) {
        const request = { method: 'POST', url: new URL(address), parameters }
        recorder.made(name, request, { status: 200, body: Object.fromEntries(parameters) })
      }
      for (const name of ['state', 'iss', 'signature', 'issuer', 'audience', 'subject'] as const) {
        recorder.passed(name, 'x'.repeat(5000))
      }
      const steps = recorder.steps()
      expect(steps.map(({ name }) => name)).toEqual(names.slice(0, steps.length))
      expect(steps.length).toBeGreaterThan(0)
      expect(JSON.stringify(steps).length).toBeLessThan(4096 + names.length + 2)
    }),
    { numRuns: 10 },
  )
})
