import type { Tone } from '../../ui/badge.tsx'
import type { ShownDelivery } from './calls.ts'

/** The states of a delivery in plain words. */
export const DELIVERY_LOOKS = {
  PENDING: { tone: 'wait', word: 'Waiting' },
  SENDING: { tone: 'run', word: 'Sending' },
  DELIVERED: { tone: 'ok', word: 'Delivered' },
  DEAD: { tone: 'bad', word: 'Failed' },
  PARKED: { tone: 'note', word: 'Paused' },
} as const satisfies Record<ShownDelivery['status'], { readonly tone: Tone; readonly word: string }>
