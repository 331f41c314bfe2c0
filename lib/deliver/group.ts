import { createHash } from 'node:crypto'
import { ServiceError } from '../errors.ts'
import { pick } from '../webhooks/find.ts'
import { parseJson } from '../webhooks/json.ts'
import type { DeliveredEvent } from './delivery.ts'

/**
 * The message group of an event in a FIFO queue: the text, number or truth value at a path of its JSON body. An event
 * without one is in the group of its source.
 * @param path the members on the way to it, joined with dots
 * @returns the group, and whether the path leads to no value
 */
export function groupOf({ source, payload }: Pick<DeliveredEvent, 'source' | 'payload'>, path: string | undefined) {
  const found = path === undefined ? undefined : pick(jsonIn(payload), path.split('.'))
  return { group: asQueueId(found || source), isUngrouped: path !== undefined && !found }
}

/** SQS API Reference, SendMessage: ids of groups and of duplicates are 1 to 128 letters, digits and punctuation. */
const QUEUE_ID = /^[!-~]{1,128}$/

/** The text itself if SQS takes it as an id, else its hash in hexadecimal digits. */
export function asQueueId(text: string): string {
  return QUEUE_ID.test(text) ? text : createHash('sha256').update(text).digest('hex')
}

function jsonIn(payload: DeliveredEvent['payload']): unknown {
  try {
    return parseJson(payload)
  } catch (error) {
    if (error instanceof ServiceError && error.is('VALIDATION_FAILED')) return undefined
    throw error
  }
}
