import type { RefusedSpan } from '../../webhooks/heard/refused.ts'
import { utcDayOf } from '../../webhooks/refusals/refusal.ts'
import type { Item } from './conditional.ts'

/** `05:2` is the attribute of a row that counts the refusals from 05:20 on, for ten minutes. */
const SPAN = /^\d\d:\d$/

/**
 * The attribute for refusals that are added together. The first of them decides it, so that none counts as later than
 * it was. Refusals that began on the day before count at the start of the day, whose row has them.
 */
export function spanOf({ firstAt, lastAt }: Readonly<Record<'firstAt' | 'lastAt', Date>>): string {
  return utcDayOf(firstAt) === utcDayOf(lastAt) ? firstAt.toISOString().slice(11, 15) : '00:0'
}

/** The refusals of a row by their ten minutes; none for a row from before these attributes existed. */
export function spansIn({ day, source, ...attributes }: Item): readonly RefusedSpan[] {
  const spans = Object.entries(attributes).filter(([name]) => SPAN.test(name))
  return spans.map(([name, count]) => ({
    source: String(source),
    at: new Date(`${day}T${name}0:00.000Z`),
    count: Number(count),
  }))
}
