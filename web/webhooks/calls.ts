import { ask } from '../ask.ts'
import { type EventDetail, type EventRecord, type EventsResponse, pathOf, type RecordKey } from './record.ts'

export function findEvents(path: string): Promise<EventsResponse> {
  return ask(path)
}

export function fetchEvent(key: RecordKey): Promise<EventDetail> {
  return ask(pathOf(key))
}

export function retryEvent(key: RecordKey): Promise<EventRecord> {
  return ask(`${pathOf(key)}/retry`, { method: 'POST' })
}
