import type { Audit, AuditDecision, AuditFacts } from '../../lib/webhooks/audit.ts'

/** The state of an event after the last decision on it. */
const STANDINGS: Readonly<Partial<Record<AuditDecision, (about: AuditFacts) => string>>> = {
  received: () => 'RECEIVED',
  processed: ({ outcome }) => (outcome === 'superseded' ? 'PROCESSED, superseded' : 'PROCESSED'),
  failed: () => 'FAILED, to be retried',
  dead: () => 'FAILED for good',
  retried: ({ n }) => (n === 0 ? 'PROCESSING' : 'RETRY'),
  duplicate: () => 'there already',
}

/** Counts the events by their state. */
export interface EventTally extends Audit {
  /** Lines with a state and its number of events, the most common first. */
  report(): string
  /** The number of events in each state. */
  counts(): ReadonlyMap<string, number>
}

export function tally(): EventTally {
  const standings = new Map<string, string>()

  function counts(): ReadonlyMap<string, number> {
    const found = new Map<string, number>()
    for (const standing of standings.values()) found.set(standing, (found.get(standing) ?? 0) + 1)
    return found
  }

  return {
    decided(decision, about) {
      const standing = STANDINGS[decision]?.(about)
      if (standing !== undefined) standings.set(`${about.source} ${about.eventId}`, standing)
    },
    counts,
    report() {
      const rows = [...counts()].sort(([, one], [, other]) => other - one)
      return rows.map(([standing, count]) => `${String(count).padStart(7)}  ${standing}\n`).join('')
    },
  }
}
