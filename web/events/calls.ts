import type { deliveryList, orderedDelivery } from '../../lib/contract/answers/deliveries.ts'
import type { eventCounts } from '../../lib/contract/answers/events.ts'
import { answerOf, ask, callWithSession, isSessionOver, type Response } from '../ask.ts'
import { CallRefused, problemIn } from '../problem.ts'
import { countedStatuses, type EventDetail, type EventRecord, pathOf, type RecordKey, type Standing } from './record.ts'

/** The number of events; counts of zero are absent. */
export type Counts = Response<typeof eventCounts>

export type StatusCounts = Counts['totals']['status']

/** What is retried by itself counts as RETRY, as lists call it. */
export async function fetchCounts(path: string): Promise<Counts> {
  const { totals, buckets, ...found } = await ask<Counts>(path)
  return {
    ...found,
    totals: { ...totals, ...apart(totals) },
    buckets: buckets.map((one) => ({ ...one, ...apart(one) })),
  }
}

function apart({ status, dead = 0 }: Pick<Counts['buckets'][number], 'status' | 'dead'>) {
  const { FAILED = 0, RETRY = 0, ...others } = status
  const counts = Object.entries({ ...others, RETRY: RETRY + FAILED - dead, FAILED: dead }).filter(
    ([, count]) => count > 0,
  )
  return { status: Object.fromEntries(counts) as StatusCounts }
}

/** How many events of a status that the filter names, of any if it names none. */
export function totalOf({ totals }: Counts, filter: Standing): number {
  const chosen = countedStatuses(filter)
  return Object.entries(totals.status)
    .filter(([name]) => chosen.length === 0 || chosen.some((each) => each === name))
    .reduce((sum, [, count]) => sum + count, 0)
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

export type OtherDestination = Response<typeof deliveryList>['others'][number]

export function fetchDeliveries(key: RecordKey): Promise<Response<typeof deliveryList>> {
  return ask(`${pathOf(key)}/deliveries`)
}

export function deliverAgain(key: RecordKey, destination: string): Promise<Response<typeof orderedDelivery>> {
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
export async function deletePayload(key: RecordKey, isForced: boolean): Promise<void> {
  const path = `${payloadPath(key)}?force=${isForced}`
  const { status, text } = await answerOf(callWithSession(path, { method: 'DELETE' }))
  if (status >= 400) throw refusalOf(status, text)
}

function refusalOf(status: number, text: string): CallRefused {
  return new CallRefused(problemIn(text) ?? `The service answered ${status}.`)
}
