import { describe, expect, it } from 'vitest'
import { receive } from '../../../../lib/auth/oauth2/receive.ts'
import type { LoginTransactions, Transaction } from '../../../../lib/auth/oauth2/transaction.ts'

const TRANSACTION: Transaction = {
  registrationId: 'google',
  state: '3state',
  nonce: 'nonce',
  codeVerifier: 'verifier',
  returnTo: '/',
}

/** Opens what it was told, as if it had sealed it. */
const transactions: LoginTransactions = {
  seal: () => Promise.reject(new Error('nothing is sealed here')),
  open: async (text) => (text === 'sealed' ? TRANSACTION : undefined),
}

const COOKIES = new Map([['oauth2_tx_3', 'sealed']])
const GONE = [{ name: 'oauth2_tx_3', maxAge: 0 }]

describe('a callback from a provider', () => {
  it('returns the transaction of the state, which is used up then', async () => {
    expect(await receive(transactions, 'code=c&state=3state', COOKIES)).toEqual({
      transaction: TRANSACTION,
      spent: GONE,
    })
  })

  it.each([
    ['only the cookie of another slot', 'state=2state', COOKIES, 'transaction-missing', []],
    ['no state', 'code=c', COOKIES, 'transaction-missing', []],
    ['two states', 'state=3state&state=3state', COOKIES, 'transaction-missing', []],
    ['the state of another tab', 'state=3other', COOKIES, 'state-mismatch', []],
    ['a cookie with an invalid seal', 'state=3state', new Map([['oauth2_tx_3', 'x']]), 'transaction-invalid', GONE],
  ])('is refused with %s; only a useless cookie is cleared', async (_, query, cookies, refusal, spent) => {
    expect(await receive(transactions, query, cookies)).toMatchObject({ refusal: { reason: refusal }, spent })
  })

  it('returns the check that refused, and the expected value', async () => {
    expect(await receive(transactions, 'state=3other', COOKIES)).toMatchObject({
      refusal: { refused: { check: 'state', expected: '3state', got: '3other' } },
    })
    expect(await receive(transactions, 'state=2state', COOKIES)).toMatchObject({
      refusal: { refused: { check: 'transaction' } },
    })
  })

  it('returns no transaction from a cookie without a slot', async () => {
    const cookies = new Map([['oauth2_tx_', 'sealed']])
    expect(await receive(transactions, 'state=', cookies)).toMatchObject({
      refusal: { reason: 'state-mismatch' },
    })
  })
})
