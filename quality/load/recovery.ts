import { setTimeout } from 'node:timers/promises'
import { type Load, type Outcome, percentile, shedOf } from './load.ts'

/** A second is calm when nobody is turned away or lost, and hardly anybody waits for so many milliseconds. */
const CALM_MS = 500

/**
 * Sends calls at a rate that the service bears, each second's whether or not those before were answered.
 * @returns the seconds until every one that follows is calm, and the calls of each second
 */
export async function recoveryOf(load: Load, rate: number, seconds: number) {
  const opened: Promise<Outcome>[] = []
  for (let second = 0; second < seconds; second++) {
    opened.push(load.open(rate, 1))
    await setTimeout(1000)
  }
  const calls = await Promise.all(opened)
  return { recovery: calls.findLastIndex((outcome) => !isCalm(outcome)) + 1, calls }
}

function isCalm(outcome: Outcome): boolean {
  return shedOf(outcome) + outcome.wrong.length === 0 && percentile(outcome, 99) <= CALM_MS
}
