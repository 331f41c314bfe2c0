import { callWithSession, type Order } from '../session-call.ts'
import { problemIn } from './problem.ts'
import { type EventDetail, type EventKey, type EventPage, type EventRecord, pathOf } from './record.ts'

/** What the service, or its absence, has against a call, in words for people. */
export class Refusal extends Error {}

export function findEvents(path: string): Promise<EventPage> {
  return ask(path)
}

export function findEvent(key: EventKey): Promise<EventDetail> {
  return ask(pathOf(key))
}

export function retryEvent(key: EventKey): Promise<EventRecord> {
  return ask(`${pathOf(key)}/retry`, { method: 'POST' })
}

/** The answer of the service as it is declared. @throws Refusal */
export async function ask<T>(path: string, order?: Order): Promise<T> {
  const { status, text } = await callWithSession(path, order).catch(() => {
    throw new Refusal('The service does not answer.')
  })
  if (status < 400) return JSON.parse(text)
  throw new Refusal(problemIn(text) ?? `The service answered ${status}.`)
}

/** What went wrong, in words. @throws whatever is no {@link Refusal} */
export function wordsOf(error: unknown): string {
  if (error instanceof Refusal) return error.message
  throw error
}
