import type { LoginRefusalReason } from './identity-provider.ts'
import { type CookieChange, dropTransaction, slotOf, transactionCookie } from './tabs.ts'
import type { LoginTransactions, Transaction } from './transaction.ts'

/** What a returning browser brings: its transaction or why there is none, and the cookies that go with it. */
export type Received = { readonly spent: readonly CookieChange[] } & (
  | { readonly transaction: Transaction }
  | { readonly refusal: LoginRefusalReason }
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
  if (sealed === undefined) return { refusal: 'transaction-missing', spent: [] }
  const transaction = await transactions.open(sealed)
  if (transaction && transaction.state !== state) return { refusal: 'state-mismatch', spent: [] }
  const spent = dropTransaction(slot)
  return transaction ? { transaction, spent } : { refusal: 'transaction-invalid', spent }
}

/** Empty when there is none, or more than one. */
function stateOf(query: string): string {
  const [state = '', ...others] = new URLSearchParams(query).getAll('state')
  return others.length === 0 ? state : ''
}
