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

describe('a browser that comes back from a provider', () => {
  it('brings the transaction of the state, which is spent then', async () => {
    expect(await receive(transactions, 'code=c&state=3state', COOKIES)).toEqual({
      transaction: TRANSACTION,
      spent: GONE,
    })
  })

  it.each([
    ['no cookie', 'state=3state', new Map(), 'transaction-missing', []],
    ['the cookie of another slot alone', 'state=2state', COOKIES, 'transaction-missing', []],
    ['no state', 'code=c', COOKIES, 'transaction-missing', []],
    ['an empty state', 'state=', COOKIES, 'transaction-missing', []],
    ['two states', 'state=3state&state=3state', COOKIES, 'transaction-missing', []],
    ['the state of another tab', 'state=3other', COOKIES, 'state-mismatch', []],
    ['a cookie that nobody sealed', 'state=3state', new Map([['oauth2_tx_3', 'x']]), 'transaction-invalid', GONE],
  ])('is refused with %s; only a cookie that is worth nothing goes', async (_, query, cookies, refusal, spent) => {
    expect(await receive(transactions, query, cookies)).toEqual({ refusal, spent })
  })

  it('gets no transaction of a cookie without a slot', async () => {
    const cookies = new Map([['oauth2_tx_', 'sealed']])
    expect(await receive(transactions, 'state=', cookies)).toMatchObject({ refusal: 'state-mismatch' })
  })
})
