import type { deliveryList, replay } from '../../lib/contract/answers/deliveries.ts'
import type { eventCounts } from '../../lib/contract/answers/events.ts'
import { answerOf, ask, callWithSession, isSessionOver, type Response } from '../ask.ts'
import { CallRefused, problemIn } from '../problem.ts'
import { type EventDetail, type EventRecord, type EventsResponse, pathOf, type RecordKey } from './record.ts'

export type StartedReplay = Response<typeof replay>

/** The number of events; counts of zero are absent. */
export type Counts = Response<typeof eventCounts>

export type StatusCounts = Counts['totals']['status']

export function findEvents(path: string): Promise<EventsResponse> {
  return ask(path)
}

export function fetchCounts(path: string): Promise<Counts> {
  return ask(path)
}

export function fetchEvent(key: RecordKey): Promise<EventDetail> {
  return ask(pathOf(key))
}

/** What an operator orders of an event. */
export type EventOrder = 'retry' | 'release'

export function orderEvent(key: RecordKey, order: EventOrder): Promise<EventRecord> {
  return ask(`${pathOf(key)}/${order}`, { method: 'POST' })
}

export function orderReplay<T>(body: object): Promise<T> {
  return ask('/api/webhooks/replays', { method: 'POST', body })
}

export type ShownDelivery = Response<typeof deliveryList>['deliveries'][number]

export async function fetchDeliveries(key: RecordKey): Promise<readonly ShownDelivery[]> {
  const { deliveries } = await ask<Response<typeof deliveryList>>(`${pathOf(key)}/deliveries`)
  return deliveries
}

export function deliverAgain(key: RecordKey, destination: string): Promise<ShownDelivery> {
  const path = `${pathOf(key)}/deliveries/${encodeURIComponent(destination)}/retry`
  return ask(path, { method: 'POST' })
}

export function payloadPath(key: RecordKey): string {
  return `${pathOf(key)}/payload`
}

/** The whole payload, byte for byte. @throws CallRefused */
export async function fetchPayload(key: RecordKey): Promise<Uint8Array> {
  const answer = await answerOf(fetch(payloadPath(key)))
  if (answer.status === 401) isSessionOver.value = true
  if (!answer.ok) throw refusalOf(answer.status, await answerOf(answer.text()))
  return new Uint8Array(await answerOf(answer.arrayBuffer()))
}

/** @param isForced whether to end what still needs the payload. @throws CallRefused */
export async function removePayload(key: RecordKey, isForced: boolean): Promise<void> {
  const path = `${payloadPath(key)}?force=${isForced}`
  const { status, text } = await answerOf(callWithSession(path, { method: 'DELETE' }))
  if (status >= 400) throw refusalOf(status, text)
}

function refusalOf(status: number, text: string): CallRefused {
  return new CallRefused(problemIn(text) ?? `The service answered ${status}.`)
}
