import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type LoginStep, recordSteps } from '../../../../lib/auth/oauth2/steps.ts'
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

  it('stands where it belongs, whenever it was recorded', () => {
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
    ['nothing that could be read', undefined],
    ['a text', 'text'],
  ])('shows no field of an answer that is %s', (_, body) => {
    const recorder = recordSteps()
    recorder.made('emails', { method: 'GET', url: CALLBACK }, { status: 200, body })
    expect(recorder.steps()[0]?.answer).toEqual({ status: 200, fields: [] })
  })

  it.each([
    ['client_id', 'gatehouse', 'gatehouse'],
    ['scope', 'x'.repeat(97), `${'x'.repeat(96)}…`],
    ['scope', 'openid\n', '…'],
    ['state', '0123456789abcdef', '0123…'],
    ['state', '0123456789abcde', '…'],
    ['client_secret', '0123456789abcdef', '…'],
    ['email', 'ada@example.com', '…'],
    ['constructor', 'x', '…'],
  ])('shows of %s=%s: %s', (name, value, shown) => {
    expect(callbackWith({ [name]: value }).sent).toEqual([{ name, value: shown }])
  })
})

describe('O15 what is kept of secrets', () => {
  it('is four characters at most, wherever they were sent or received', () => {
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

  it('is nothing under a name that nobody knows', () => {
    fc.assert(
      fc.property(secret, fc.stringMatching(/^x_[a-z]{1,20}$/), (value, name) => {
        expect(callbackWith({ [name]: value }).sent).toEqual([{ name, value: '…' }])
      }),
    )
  })

  it('is cut in what a check compared, too', () => {
    const recorder = recordSteps()
    recorder.made('token', { method: 'POST', url: CALLBACK })
    recorder.passed('nonce', 'n'.repeat(43))
    expect(recorder.steps()[0]?.checks).toContainEqual({ name: 'nonce', result: 'PASSED', value: 'nnnn…' })
  })
})

describe('the checks of a step', () => {
  it('are those that held, and what there is in place of the others', () => {
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
      ['pkce', 'BY_PROVIDER'],
      ['signature', 'REPLACED'],
      ['issuer', 'PASSED'],
      ['audience', 'REPLACED'],
      ['expiry', 'REPLACED'],
      ['nonce', 'REPLACED'],
    ])
  })
})

it('takes up at most 4 KB, whatever a provider says, and then begins with the first steps', () => {
  const names = ['authorization', 'callback', 'token', 'keys', 'user', 'emails'] as const
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.string({ maxLength: 5000 })), fc.webUrl(), (given, address) => {
      const recorder = recordSteps()
      const parameters = Object.entries({ ...given, redirect_uri: address.repeat(50), scope: 'x'.repeat(5000) })
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
  )
})
