import { LoginRefused } from './identity-provider.ts'
import { type CookieChange, dropTransaction, slotOf, transactionCookie } from './tabs.ts'
import type { LoginTransactions, Transaction } from './transaction.ts'

/** What a returning browser brings: its transaction or why there is none, and the cookies that go with it. */
export type Received = { readonly spent: readonly CookieChange[] } & (
  | { readonly transaction: Transaction }
  | { readonly refusal: LoginRefused }
)

/** Finds the transaction of the state in a callback. That of another tab is left alone. */
export async function receive(
  transactions: LoginTransactions,
  query: string,
  cookies: ReadonlyMap<string, string>,
): Promise<Received> {
  const state = stateOf(query)
  const slot = slotOf(state) ?? ''
  const sealed = cookies.get(transactionCookie(slot))
  if (sealed === undefined) return { refusal: unbegun('transaction-missing'), spent: [] }
  const transaction = await transactions.open(sealed)
  if (transaction && transaction.state !== state) return { refusal: otherState(transaction, state), spent: [] }
  const spent = dropTransaction(slot)
  return transaction ? { transaction, spent } : { refusal: unbegun('transaction-invalid'), spent }
}

function unbegun(reason: 'transaction-missing' | 'transaction-invalid'): LoginRefused {
  return new LoginRefused(reason, { refused: { check: 'transaction' } })
}

function otherState({ state: expected }: Transaction, got: string): LoginRefused {
  return new LoginRefused('state-mismatch', { refused: { check: 'state', expected, got } })
}

/** Empty when there is none, or more than one. */
function stateOf(query: string): string {
  const [state = '', ...others] = new URLSearchParams(query).getAll('state')
  return others.length === 0 ? state : ''
}
