import { signal } from '@preact/signals'
import { LOCAL_PATHS, type LocalSender, type SignedRequest, type TestEvent } from '../../lib/contract/console.ts'
import { answerOf, ask, wordsOf } from '../ask.ts'
import { type Exchange, makeCall } from '../call.ts'
import { refreshWithin, SETTLE_MS } from './reading.ts'

/** The senders that the local run can sign as; undefined until the list is loaded. */
export const localSenders = signal<readonly LocalSender[] | undefined>(undefined)

/** A webhook that this page sent, and its answer. */
export interface SentWebhook {
  readonly request: SignedRequest
  readonly exchange: Exchange
}

/** The webhooks of the last order, in the order in which they were sent. */
export const sent = signal<readonly SentWebhook[]>([])

/** The last error. */
export const sendProblem = signal<string | undefined>(undefined)

export const isSending = signal(false)

/** Loads the senders unless they are known. */
export async function findSenders(): Promise<void> {
  if (localSenders.peek()) return
  sendProblem.value = undefined
  try {
    const offered = await ask<{ readonly senders: readonly LocalSender[] }>(LOCAL_PATHS.senders)
    localSenders.value = offered.senders
  } catch (error) {
    sendProblem.value = wordsOf(error)
  }
}

/** Lets the local run sign a webhook, and sends it as its provider would. */
export async function send(order: TestEvent): Promise<void> {
  if (isSending.peek()) return
  isSending.value = true
  sendProblem.value = undefined
  sent.value = []
  try {
    const { requests } = await ask<{ readonly requests: readonly SignedRequest[] }>(LOCAL_PATHS.testEvents, {
      method: 'POST',
      body: order,
    })
    // The second of two contradicts the first.
    for (const request of requests) sent.value = [...sent.peek(), await deliver(request)]
  } catch (error) {
    sendProblem.value = wordsOf(error)
  } finally {
    isSending.value = false
    refreshWithin(SETTLE_MS)
  }
}

async function deliver(request: SignedRequest): Promise<SentWebhook> {
  const { method, path, headers, body } = request
  return { request, exchange: await answerOf(makeCall({ method, path, headers, body, withSession: false })) }
}

/** Whether the answer to a webhook is the one that its provider expects. */
export function isAnsweredAsExpected({ request, exchange }: SentWebhook): boolean {
  return request.expected === exchange.status
}
