import { deflateRawSync } from 'node:zlib'
import { LAB_PARAMETER, REFUSED_LOGIN, type RefusedLogin, type RefusingCheck } from '../../contract/login-steps.ts'
import { LoginRefused } from './identity-provider.ts'
import { type LoginRecorder, shown } from './steps.ts'
import {
  type CookieChange,
  dropTransaction,
  type LoginTransactions,
  slotOf,
  type Transaction,
  transactionCookie,
} from './transaction.ts'

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

const LAB = /^[a-z-]{1,32}$/

/** The name under which a callback asks to be shown in the console if it is refused; empty if it does not. */
export function labOf(query: string): string {
  const [name = '', ...others] = new URLSearchParams(query).getAll(LAB_PARAMETER)
  return others.length === 0 && LAB.test(name) ? name : ''
}

/** Where the console shows a refused login, and the cookie from which its script reads it: nothing else keeps it. */
export function showRefused(
  given: Omit<RefusedLogin, 'refused' | 'steps'>,
  recorder: Pick<LoginRecorder, 'stepsUntil'>,
  refused: RefusingCheck | undefined,
): { readonly location: string; readonly cookie: CookieChange } {
  const { cookie: name, path, seconds } = REFUSED_LOGIN
  const steps = recorder.stepsUntil(refused?.check ?? 'iss')
  const login: RefusedLogin = { ...given, refused: refused && masked(refused), steps }
  const whole = packed(login)
  const value = whole.length <= MAXIMUM_LENGTH ? whole : packed({ ...login, steps: [] })
  return { location: `${path}?attack=${login.lab}`, cookie: { name, value, maxAge: seconds, path, isReadable: true } }
}

/** Browsers keep 4,096 bytes of name and value (RFC 6265bis section 5.6). */
const MAXIMUM_LENGTH = 4000

function packed(login: RefusedLogin): string {
  return deflateRawSync(JSON.stringify(login)).toString('base64url')
}

/** What a check compared, as far as it may be shown. */
function masked({ check, expected, got }: RefusingCheck): RefusingCheck {
  const name = check === 'answer' ? 'error' : check
  const cut = (value: string | undefined) => (value === undefined ? undefined : shown(name, value))
  return { check, expected: cut(expected), got: cut(got) }
}
