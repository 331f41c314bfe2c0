import { describe, expect, it } from 'vitest'
import type { Counter } from '../../../lib/runtime/metrics.ts'
import { type AuditDecision, countingAudit, type DecisionPlace, logAudit } from '../../../lib/webhooks/audit.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { recordingMetrics } from '../../support/fakes/metrics.ts'

function setUp(place: DecisionPlace) {
  const log = recordingLog()
  const metrics = recordingMetrics()
  const audit = countingAudit(logAudit(log), metrics, place, { current: new Set(['payment', 'stripe']) })
  return { log, metrics, audit }
}

describe('the decisions as numbers', () => {
  it.each<[AuditDecision, readonly Counter[], readonly Counter[]]>([
    ['received', ['Accepted'], []],
    ['processed', ['Accepted'], ['Processed']],
    ['duplicate', ['Duplicate'], []],
    ['refused', ['Refused'], []],
    ['failed', ['Accepted', 'Failed'], ['Failed']],
    ['retried', [], ['Retried']],
    ['postponed', [], []],
    ['stopped', [], ['LoopStopped']],
    ['dropped', [], []],
    ['dead', ['Accepted', 'Dead'], ['Dead']],
    ['replayed', ['Replayed'], ['Replayed']],
  ])('%s counts as %j at the intake and as %j in the worker', (decision, atIntake, inWorker) => {
    for (const [place, counters] of [['intake', atIntake] as const, ['worker', inWorker] as const]) {
      const { log, metrics, audit } = setUp(place)
      audit.decided(decision, { source: 'payment', eventId: 'event-1' })
      const bySource = ['Accepted', 'Refused']
      const expected = counters.map((counter) => [counter, bySource.includes(counter) ? { source: 'payment' } : {}])
      expect(metrics.counted).toEqual(expected)
      expect(log.of('audit')).toEqual([{ decision, source: 'payment', eventId: 'event-1' }])
    }
  })

  it('a refusal is counted by its reason', () => {
    const { metrics, audit } = setUp('intake')
    audit.decided('refused', { source: 'stripe', reason: 'too-old' })
    expect(metrics.counted).toEqual([['Refused', { source: 'stripe', reason: 'too-old' }]])
  })

  it('a name without a configured secret counts as other, and is audited unchanged', () => {
    const { log, metrics, audit } = setUp('intake')
    for (const source of ['x1', 'x2', '__proto__', '']) audit.decided('refused', { source, reason: 'no-secret' })
    expect(new Set(metrics.counted.map(([, { source }]) => source))).toEqual(new Set(['other']))
    expect(log.of('audit').map(({ source }) => source)).toEqual(['x1', 'x2', '__proto__', ''])
  })
})
