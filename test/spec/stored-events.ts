import { expect, vi } from 'vitest'
import type { Answer } from '../support/client.ts'
import { storedRow } from '../support/local-tables.ts'
import { logLines } from '../support/service-log.ts'
import type { World } from './world.ts'

type Detail = Answer['json']

export const PATIENCE = { timeout: 15_000, interval: 50 }

/** The record of an event, as an admin sees it; undefined when nothing is stored. */
export async function findEvent({ admin }: World, source: string, eventId: unknown): Promise<Detail | undefined> {
  const { status, json } = await admin.call(`/api/webhooks/events/${source}/${eventId}`)
  expect([200, 404]).toContain(status)
  return status === 200 ? json : undefined
}

/** The record as soon as it is as it should be. */
export function eventWhen(
  world: World,
  source: string,
  eventId: unknown,
  isIt: (event: Detail) => boolean,
): Promise<Detail> {
  return vi.waitUntil(async () => {
    const event = await findEvent(world, source, eventId)
    return event !== undefined && isIt(event) && event
  }, PATIENCE)
}

export const isProcessed = ({ status }: Detail) => status === 'PROCESSED'
export const isDead = ({ dead }: Detail) => dead

/** The moves that an event made, as `STATUS by`. */
export function movesOf({ history }: Detail): readonly string[] {
  return history.map(({ status, by }: { status: string; by: string }) => `${status} ${by}`)
}

export const storedPayment = (transactionId: unknown) => storedRow('payments', { transactionId: String(transactionId) })
export const storedOrder = (orderId: unknown) => storedRow('orders', { orderId: String(orderId) })

/** What the audit said of an event, in order. @param enough the number of decisions to wait for */
export function decisionsOn(eventId: unknown, enough = 1): Promise<readonly Detail[]> {
  const lines = () => logLines().filter((line) => line.includes('"audit"') && line.includes(`"${eventId}"`))
  const decisions = () =>
    lines()
      .map((line) => JSON.parse(line))
      .filter(({ decision }) => decision !== 'read')
  return vi.waitUntil(() => decisions().length >= enough && decisions(), PATIENCE)
}
