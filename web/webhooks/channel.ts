import { signal } from '@preact/signals'
import { answerOf, CallRefused, type Response } from '../ask.ts'
import { facts } from '../facts.ts'
import { problemIn } from '../problem.ts'
import { hear, isTold, refreshWithin } from './feed.ts'

/** How the page receives changes: by polling, or over the STOMP channel. */
export type ChannelState = 'polling' | 'connecting' | 'live' | 'lost'

export const channel = signal<ChannelState>('polling')

/** Whether this user can open a channel: the token takes a password, and there must be an adapter that accepts it. */
export const isChannelOffered = facts.stompUrl !== null && facts.user?.authType === 'FORM'

/**
 * Subscribes to changes with a token that is kept only in the memory of this page; the session is not enough.
 * @throws CallRefused for a wrong password
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

/** Sends no cookie: the answer depends on the password alone. */
async function tokenFor(password: string): Promise<string> {
  const body = new URLSearchParams({ username: facts.user?.username ?? '', password })
  const response = await answerOf(fetch('/api/auth/login', { method: 'POST', credentials: 'omit', body }))
  if (!response.ok)
    throw new CallRefused(problemIn(await response.text()) ?? `The service answered ${response.status}.`)
  const { token }: Response<'authLogin'> = await response.json()
  return token
}
