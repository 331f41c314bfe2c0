import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import * as z from 'zod/mini'
import { invalid } from '../../lib/errors.ts'
import { noContent, ok, type Reply } from '../../lib/http/message.ts'
import { isMovable, setClock } from '../stack/clock.mjs'
import { betweenCalls } from '../stack/guard.ts'
import { jsonIn } from '../stack/http.ts'

const END = new Date('2100-01-01T00:00:00Z')

export const TIME_RULE = 'must be a time of the years 1970 to 2099, as 2026-01-01T00:00:00Z'

const isoTime = z.iso.datetime({ offset: true })

/** A time that the clock of a run can show; undefined for anything else. */
export function benchTime(given: unknown): Date | undefined {
  const { data } = z.safeParse(isoTime, given)
  return inRange(new Date(data ?? ''))
}

function inRange(time: Date): Date | undefined {
  return time.getTime() >= 0 && time < END ? time : undefined
}

/** What a run does for tests between two calls. */
export interface Bench {
  /** Makes users, clients, credentials, events, reports and clock what they were after the start. @throws ServiceError */
  reset(): Promise<void>
  /** Prepares the tables for another time. */
  clockMoved(): Promise<void>
}

export async function resetRun(bench: Bench): Promise<Reply> {
  await betweenCalls(bench.reset)
  return noContent()
}

/** @throws ServiceError `VALIDATION_FAILED` */
export async function moveClock(bench: Bench, incoming: IncomingMessage): Promise<Reply> {
  if (!isMovable()) throw invalid([{ path: ['TMPDIR'], message: 'must be writable: a clock that moves needs a file' }])
  const order = Object(jsonIn(await text(incoming))) as Readonly<Record<string, unknown>>
  await betweenCalls(async () => {
    await setClock(timeIn(order))
    await bench.clockMoved()
  })
  return ok({ now: new Date().toISOString() })
}

function timeIn({ now, advanceSeconds, ...others }: Readonly<Record<string, unknown>>): Date {
  const field = advanceSeconds === undefined ? 'now' : 'advanceSeconds'
  const isOne = Object.keys(others).length === 0 && (now === undefined || advanceSeconds === undefined)
  const time =
    typeof advanceSeconds === 'number' ? inRange(new Date(Date.now() + advanceSeconds * 1000)) : benchTime(now)
  if (time && isOne) return time
  const rule = field === 'now' ? TIME_RULE : 'must be a number of seconds to a time of the years 1970 to 2099'
  throw invalid([{ path: [field], message: `${rule}, and the only member` }])
}
