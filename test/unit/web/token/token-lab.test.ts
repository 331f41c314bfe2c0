import { expect, it } from 'vitest'
import type { ConsoleFacts } from '../../../../lib/contract/console.ts'
import type { Call } from '../../../../web/call.ts'
import { TOKEN_ATTACKS } from '../../../../web/token/attacks.ts'
import { createTokenLab } from '../../../../web/token/token-lab.ts'

const FACTS = {
  accepts: { bearer: true, basic: true, stores: ['database'] },
  demoUsers: [{ username: 'ann', password: 'ann-demo', role: 'ROLE_ADMIN', store: 'jdbc' }],
  demoTokens: { expired: 'a.b.expired', notYetValid: '', withoutRole: '', unknownRole: '', revoked: 'a.b.revoked' },
} as unknown as ConsoleFacts

interface Answer {
  readonly status: number
  readonly text?: string
}

/** @param answers by the method of the call */
function labOf(answers: Readonly<Record<string, Answer>>, facts = FACTS) {
  const calls: Call[] = []
  const lab = createTokenLab(facts, {
    logIn: async (username) => ({ token: `h.p.${username}` }),
    exchange: async (call) => {
      calls.push(call)
      const { status, text = '' } = answers[call.method] ?? expect.fail(`no answer to ${call.method}`)
      return { call, status, headers: [], text, milliseconds: 1 }
    },
  })
  return { lab, calls }
}

const refused = (tokenStatus: string) => ({ status: 401, text: `{"details":{"tokenStatus":"${tokenStatus}"}}` })
const attack = (name: string) => TOKEN_ATTACKS.find(({ label }) => label === name) ?? expect.fail('no such attack')

it('a token that a reading call accepts is tried with a change', async () => {
  const { lab, calls } = labOf({ GET: { status: 200 }, POST: { status: 400 } })
  lab.paste('Bearer x.y.z')
  await lab.ask()
  expect(calls.map(({ method, headers }) => [method, headers['authorization']])).toEqual([
    ['GET', 'Bearer x.y.z'],
    ['POST', 'Bearer x.y.z'],
  ])
  expect(lab.answer.value?.verdict).toBe('VALID')
})

it('only the second call refuses a token without an account', async () => {
  const { lab } = labOf({ GET: { status: 200 }, POST: refused('REVOKED') })
  await lab.strike(attack('Revoked'))
  expect([lab.token.value, lab.answer.value?.verdict]).toEqual(['a.b.revoked', 'REVOKED'])
})

it('a refused token is not tried with a change', async () => {
  const { lab, calls } = labOf({ GET: refused('EXPIRED') })
  await lab.strike(attack('Expired'))
  expect([lab.answer.value?.verdict, calls.length]).toEqual(['EXPIRED', 1])
})

it('an attack without a token logs in for one, and the next one uses the same', async () => {
  const { lab } = labOf({ GET: refused('INVALID_SIGNATURE') })
  await lab.strike(attack('Strip the signature'))
  expect([lab.original.value, lab.token.value]).toEqual(['h.p.ann', 'h.p.'])
  await lab.strike(attack('Cut it off'))
  expect(lab.token.value).toBe('h.p')
})

it('a change makes the verdict of the service obsolete, and can be undone', async () => {
  const { lab } = labOf({ GET: refused('EXPIRED') })
  lab.paste('x.y.z')
  await lab.ask()
  lab.edit('x.w.z')
  expect([lab.original.value, lab.answer.value]).toEqual(['x.y.z', undefined])
  lab.reset()
  expect(lab.token.value).toBe('x.y.z')
})

it('shows why a token was not sent', async () => {
  const lab = createTokenLab(FACTS, {
    logIn: async () => ({ refusal: 'no' }),
    exchange: () => Promise.reject(new TypeError('Failed to fetch')),
  })
  lab.paste('a.\u202eb.c')
  await lab.ask()
  expect(lab.problem.value).toBe('The token was not sent: no HTTP header can carry all of its characters.')
  lab.paste('a.b.c')
  await lab.ask()
  expect(lab.problem.value).toBe('The service does not answer.')
})

it('if the page cannot get a signed token, the attacks that need one cannot be tried', () => {
  const { lab } = labOf({}, { ...FACTS, demoTokens: null, demoUsers: [] })
  expect(TOKEN_ATTACKS.filter(lab.canTry)).toEqual([])
  lab.paste('x.y.z')
  expect(TOKEN_ATTACKS.filter(lab.canTry).every(({ from }) => from === 'token')).toBe(true)
})
