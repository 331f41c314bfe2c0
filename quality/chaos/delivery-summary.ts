import type { DeliveryOutcome } from './deliveries.ts'

/** What a run prints. */
export interface Told {
  /** How much was tried, with numbers. */
  readonly tried: string
  /** What was found, with numbers. */
  readonly found: string
  readonly lines: readonly string[]
  readonly isClean: boolean
}

export const NO_REASON = 'no reason'

/** By how much a sick destination may slow down the others. */
const MOST_SLOWER = 1.5

const EXAMPLES = 10

/** What a run of deliveries found. */
export function deliverySummaryOf(outcome: DeliveryOutcome): Told {
  const { events, kills, refused, lost, doubled, delays } = outcome
  const [well, sick] = [delays.well, delays.sick].map(delayOf) as [Delay, Delay]
  const ratio = sick.median / well.median
  const reasons = Map.groupBy(doubled.values(), ({ reason }) => reason)
  const unexplained = reasons.get(NO_REASON)?.length ?? 0
  return {
    tried:
      `${kills.length} kills (${kills.join(', ')}), ${events} events for 3 destinations, one of which is down for half ` +
      `of the time and refused ${refused} calls`,
    found:
      `${lost.length} lost, ${doubled.size} doubled, ${unexplained} of them not by a kill; without the sick one the others ` +
      `had theirs after ${told(well)}, with it after ${told(sick)}: ${ratio.toFixed(2)} times as long`,
    lines: [
      ...[...reasons].map(([reason, all]) => `doubled ${all.length}: ${reason}`),
      ...[...doubled].slice(0, EXAMPLES).map(([name, { reason, after }]) => `  ${name}: ${reason}, ${after} ms later`),
      ...lost.slice(0, EXAMPLES).map((name) => `lost: ${name}`),
      ...(ratio > MOST_SLOWER ? [`a sick destination slows down the others: ${ratio.toFixed(2)} times`] : []),
    ],
    isClean: lost.length === 0 && unexplained === 0,
  }
}

interface Delay {
  readonly median: number
  readonly p95: number
}

/** @param milliseconds in ascending order */
function delayOf(milliseconds: readonly number[]): Delay {
  const at = (share: number) => milliseconds[Math.floor(milliseconds.length * share)] ?? Number.NaN
  return { median: at(0.5), p95: at(0.95) }
}

function told({ median, p95 }: Delay): string {
  return `${median} ms (p95 ${p95} ms)`
}
