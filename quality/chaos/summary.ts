import type { Outcome } from './chaos.ts'
import type { EventRow } from './rows.ts'
import { VICTIM_NAMES } from './victim.ts'

/** How many findings of a kind are shown. */
const SHOWN = 5

/** What a run tried and what it found, in lines of numbers. */
export function summaryOf({ kills, recoveries, traffic, stored, resumed, verdict }: Outcome) {
  const perVictim = VICTIM_NAMES.map((name) => `${name} ${kills.filter((kill) => kill === name).length}`)
  const acknowledged = traffic.sent.filter(({ isAcknowledged }) => isAcknowledged).length
  const { events, payments, orders } = stored
  const retries = total(events, ({ history }) => history.filter(({ status }) => status === 'RETRY').length)
  const tried = `${kills.length} kills (${perVictim.join(', ')}), ${traffic.sent.length} events sent`
  const found = [
    `${acknowledged} acknowledged, ${events.length} stored, ${countOf(events, 'PROCESSED')} processed, ${countOf(events, 'FAILED')} dead as meant`,
    `${payments.length} payments and ${orders.length} orders as the events say`,
    `${traffic.refused} tries refused, ${traffic.repeated} events repeated, ${retries} retries, ${total(events, takenOver)} runs taken over, ${resumed} times resumed`,
    `back after ${seconds(recoveries.at(recoveries.length >> 1))} s in the middle, ${seconds(recoveries.at(-1))} s at most`,
  ]
  const findings = Object.entries(verdict).map(([name, list]) => `${list.length} ${name}`)
  const examples = Object.entries({ ...verdict }).flatMap(([name, list]) =>
    list.slice(0, SHOWN).map((one) => `${name}: ${one}`),
  )
  return { tried, found, findings: findings.join(', '), examples }
}

function total(events: readonly EventRow[], count: (event: EventRow) => number): number {
  return events.reduce((sum, event) => sum + count(event), 0)
}

function countOf(events: readonly EventRow[], wanted: EventRow['status']): number {
  return total(events, ({ status }) => (status === wanted ? 1 : 0))
}

/** Runs whose worker died: the next one began before they had ended. */
function takenOver({ history }: EventRow): number {
  const isRunning = (index: number) => ['PROCESSING', 'RETRY'].includes(history[index]?.status ?? '')
  return history.filter((_, index) => isRunning(index) && isRunning(index + 1)).length
}

function seconds(milliseconds = 0): string {
  return (milliseconds / 1000).toFixed(1)
}
