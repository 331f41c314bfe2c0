import type { RefusedSpan } from '../../webhooks/heard/refused.ts'
import type { Item } from './conditional.ts'

/** `05:2` is the attribute of a row that counts the refusals from 05:20 on, for ten minutes. */
const SPAN = /^\d\d:\d$/

export function spanOf(time: Date): string {
  return time.toISOString().slice(11, 15)
}

/** The refusals of a row by their ten minutes; none of a row from before there were such attributes. */
export function spansIn({ day, source, ...attributes }: Item): readonly RefusedSpan[] {
  const spans = Object.entries(attributes).filter(([name]) => SPAN.test(name))
  return spans.map(([name, count]) => ({
    source: String(source),
    at: new Date(`${day}T${name}0:00.000Z`),
    count: Number(count),
  }))
}
