import { parseTime } from '../ui/times.tsx'
import type { EventRecord } from './record.ts'

/** What is worth saying of an event in one line; empty where all is as usual. */
export function summaryOf({ errorMessage, possibleDuplicateOf, idConflict, itemCount }: EventRecord): string {
  const parts = [
    errorMessage,
    itemCount === null ? null : `batch of ${itemCount}`,
    idConflict && `${idConflict.count} × other content under this id`,
    possibleDuplicateOf !== null && `possible duplicate of ${possibleDuplicateOf}`,
  ]
  return parts.filter(Boolean).join(' · ')
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const

/** From receipt until it was processed: `12 ms`, `1.4 s`, `15 min`; a dash before that. */
export function tookText({ receivedAt, processedAt }: Pick<EventRecord, 'receivedAt' | 'processedAt'>): string {
  if (processedAt === null) return '–'
  const milliseconds = Math.max(0, parseTime(processedAt).getTime() - parseTime(receivedAt).getTime())
  const [unit, length] = UNITS.find(([, candidate]) => milliseconds >= candidate) ?? ['ms', 1]
  const amount = milliseconds / length
  return `${unit === 'ms' || amount >= 10 ? Math.round(amount) : amount.toFixed(1)} ${unit}`
}

/** The runs so far; a dash before the first. */
export function attemptsText({ status, attempts }: Pick<EventRecord, 'status' | 'attempts'>): string {
  return status === 'RECEIVED' ? '–' : `${attempts + 1}`
}
