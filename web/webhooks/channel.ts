import { signal } from '@preact/signals'
import { answerOf, CallRefused, type Response } from '../ask.ts'
import { facts } from '../facts.ts'
import { problemIn } from '../problem.ts'
import { hear, isTold, refreshWithin } from './feed.ts'

/** How the page hears of changes: it asks again and again, or the STOMP channel tells it. */
export type ChannelState = 'polling' | 'connecting' | 'live' | 'lost'

export const channel = signal<ChannelState>('polling')

/** Whether this user can have a token: it takes a password, and an adapter to take it to. */
export const isChannelOffered = facts.stompUrl !== null && facts.user?.authType === 'FORM'

/**
 * Subscribes to changes with a token that lives in the memory of this page only: a session is none.
 * @throws Refusal for a wrong password
 */
export async function goLive(password: string): Promise<void> {
  channel.value = 'connecting'
  try {
    const token = await tokenFor(password)
    const { watchWebhooks } = await import('./watch.ts')
    watchWebhooks({ url: facts.stompUrl ?? '', token, onChange: hear, onState: become })
  } catch (error) {
    become('polling')
    throw error
  }
}

function become(state: ChannelState): void {
  channel.value = state
  isTold.value = state === 'live'
  refreshWithin(0)
}

/** No cookie is sent along: the answer depends on the password alone. */
async function tokenFor(password: string): Promise<string> {
  const body = new URLSearchParams({ username: facts.user?.username ?? '', password })
  const response = await answerOf(fetch('/api/auth/login', { method: 'POST', credentials: 'omit', body }))
  if (!response.ok)
    throw new CallRefused(problemIn(await response.text()) ?? `The service answered ${response.status}.`)
  const { token }: Response<'authLogin'> = await response.json()
  return token
}
