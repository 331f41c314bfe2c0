import { signal } from '@preact/signals'
import type { liveTicket } from '../../lib/contract/answers/accounts.ts'
import { ask, isSessionOver, type Response } from '../ask.ts'
import { facts } from '../facts.ts'
import { CallRefused } from '../problem.ts'
import { applyChange, hasChannel, refreshWithin } from './reading.ts'

/** How the page receives changes: over the STOMP channel, or by polling. */
export type ChannelState = 'connecting' | 'live' | 'lost' | 'polling'

export const channel = signal<ChannelState>(facts.stompUrl === null ? 'polling' : 'connecting')

/** Subscribes to changes if there is a channel. */
export async function goLive(): Promise<void> {
  if (facts.stompUrl === null) return
  const { watchWebhooks } = await import('./watch.ts')
  watchWebhooks({
    url: facts.stompUrl,
    getTicket,
    onChange: applyChange,
    onState: (state) => become(state === 'refused' ? 'polling' : state),
  })
}

/** A ticket of the session; what goes wrong is tried again, unless the session has ended. */
async function getTicket(): Promise<string | undefined> {
  if (isSessionOver.peek()) return undefined
  try {
    const { ticket } = await ask<Response<typeof liveTicket>>('/api/live-ticket', { method: 'POST' })
    return ticket
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error
    // An empty ticket is refused, and the next attempt comes later.
    return isSessionOver.peek() ? undefined : ''
  }
}

function become(state: ChannelState): void {
  if (channel.peek() === state) return
  channel.value = state
  hasChannel.value = state === 'live'
  refreshWithin(0)
}
