import { ask, type Response } from '../ask.ts'
import { type EventDetail, type EventRecord, type EventsResponse, pathOf, type RecordKey } from './record.ts'

export type StartedReplay = Response<'replay'>

/** The number of events; counts of zero are absent. */
export type Counts = Response<'webhookCounts'>

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

export function retryEvent(key: RecordKey): Promise<EventRecord> {
  return ask(`${pathOf(key)}/retry`, { method: 'POST' })
}

export function orderReplay<T>(body: object): Promise<T> {
  return ask('/api/webhooks/replays', { method: 'POST', body })
}
