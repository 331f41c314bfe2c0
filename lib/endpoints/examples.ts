import type { Answer } from './about.ts'

export const HELLO = {
  message: 'Hello, Admin! (secured endpoint)',
  user: 'admin',
  authorities: [{ authority: 'ROLE_ADMIN' }],
}
export const EVENT = {
  id: '3804000000000000000',
  source: 'payment',
  eventId: 'evt-1',
  eventType: 'PAYMENT',
  status: 'PROCESSED',
  receivedAt: '2026-11-21T07:00:00.000',
  processedAt: '2026-11-21T07:00:00.012',
  attempts: 0,
  nextRetryAt: null,
  dead: false,
  errorMessage: null,
  outcome: null,
}
export const REPLAY = { replayId: 'shop-outage', state: 'RUNNING', matched: 200, done: 0, failed: 0 }
export const ACCEPTED = {
  success: true,
  message: 'Webhook processed successfully',
  timestamp: '2026-11-21T07:00:00.000',
}
export const DUPLICATE = 'A second delivery of an event changes nothing and is acknowledged like the first.'
export const OWN_HOST: Answer = { description: 'To the host name that the cookies belong to.', headers: ['location'] }
export const UNCHANGED: Answer = {
  description: 'What the caller has is still good.',
  headers: ['entityTag', 'revalidation', 'vary'],
}
