import { type Signal, signal } from '@preact/signals'
import type { ConsoleFacts } from '../../lib/contract/console.ts'
import type { Call, Exchange } from '../call.ts'
import { type Caller, demoCallers, NOBODY } from '../callers.ts'
import type { TokenAttack } from './attacks.ts'
import { changingCall, type LogIn, readingCall, type TokenVerdict, verdictOf } from './calls.ts'
import { readPasted } from './token.ts'

/** What the service answered. */
interface ServiceAnswer {
  readonly verdict: TokenVerdict
  /** The answer that decided. */
  readonly exchange: Exchange
}

/** How the page reaches the service. */
interface TokenActions {
  readonly exchange: (call: Call) => Promise<Exchange>
  readonly logIn: (username: string, password: string) => Promise<LogIn>
}

export type TokenLab = ReturnType<typeof createTokenLab>

/** A token, what was changed of it, and what the service says. Nothing is kept when the page is left. */
export function createTokenLab(facts: ConsoleFacts, { exchange, logIn }: TokenActions) {
  const caller: Signal<Caller> = signal(demoCallers('bearer', facts)[0] ?? NOBODY)
  const pasted = signal('')
  /** As it was pasted or issued. */
  const original = signal('')
  const token = signal('')
  const attack = signal<TokenAttack | undefined>(undefined)
  const answer = signal<ServiceAnswer | undefined>(undefined)
  const problem = signal<string | undefined>(undefined)

  function show(text: string, isOriginal: boolean, by?: TokenAttack): void {
    pasted.value = text
    token.value = readPasted(text).token
    if (isOriginal) original.value = token.value
    attack.value = by
    answer.value = undefined
    problem.value = undefined
  }

  async function logInForToken(): Promise<void> {
    const { username, password } = caller.value
    const result = await logIn(username, password)
    show('token' in result ? result.token : '', true)
    if ('refusal' in result) problem.value = result.refusal
  }

  async function ask(): Promise<void> {
    const asked = token.value
    problem.value = undefined
    try {
      const found = await answerTo(asked)
      if (token.value === asked) answer.value = found
    } catch {
      if (token.value === asked) problem.value = unsent(asked)
    }
  }

  /** A call that reads, and if that is answered one that changes: only the second looks at the account. */
  async function answerTo(asked: string): Promise<ServiceAnswer> {
    const reading = await exchange(readingCall(asked))
    const verdict = verdictOf(reading)
    if (verdict !== 'VALID') return { verdict, exchange: reading }
    const changing = await exchange(changingCall(asked))
    return changing.status === 401
      ? { verdict: verdictOf(changing), exchange: changing }
      : { verdict, exchange: reading }
  }

  /** Whether there is a token for the attack to start from. */
  function canTry({ from }: TokenAttack): boolean {
    if (from !== 'token') return facts.demoTokens !== null
    return original.value !== '' || caller.value.username !== ''
  }

  /** Spoils the token, and asks the service. */
  async function strike(by: TokenAttack): Promise<void> {
    if (by.from === 'token' && original.value === '') await logInForToken()
    const material = by.from === 'token' ? original.value : (facts.demoTokens?.[by.from] ?? '')
    if (material === '') return
    show(material, true)
    show(by.spoil(material), false, by)
    await ask()
  }

  return {
    caller,
    pasted,
    original,
    token,
    attack,
    answer,
    problem,
    paste: (text: string) => show(text, true),
    edit: (text: string) => show(text, false),
    reset: () => show(original.value, true),
    logInForToken,
    ask,
    canTry,
    strike,
  }
}

/** Why a call was not answered. */
function unsent(token: string): string {
  const foreign = [...token].find((character) => character > '\u00ff' || character < '!')
  return foreign === undefined
    ? 'The service does not answer.'
    : 'The token was not sent: no HTTP header can carry all of its characters.'
}
