import { ask } from '../ask.ts'
import { type EventDetail, type EventKey, type EventPage, type EventRecord, pathOf } from './record.ts'

export function findEvents(path: string): Promise<EventPage> {
  return ask(path)
}

export function findEvent(key: EventKey): Promise<EventDetail> {
  return ask(pathOf(key))
}

export function retryEvent(key: EventKey): Promise<EventRecord> {
  return ask(`${pathOf(key)}/retry`, { method: 'POST' })
}
