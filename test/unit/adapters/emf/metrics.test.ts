import { stdout } from 'node:process'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { emfMetrics, promptEmfMetrics } from '../../../../lib/adapters/emf/metrics.ts'

let written: string[]
let metrics: ReturnType<typeof emfMetrics>

beforeEach(() => {
  written = []
  metrics = emfMetrics('gatehouse-test')
  vi.spyOn(stdout, 'write').mockImplementation((text) => {
    written.push(String(text))
    return true
  })
  return () => vi.restoreAllMocks()
})

/** The EMF documents on standard output; each has to be a line of its own. */
function documents() {
  return written.map((line) => {
    expect(line.endsWith('}\n')).toBe(true)
    return JSON.parse(line)
  })
}

describe('metrics on standard output', () => {
  it('are written at publication, for the service and for their own dimensions', () => {
    metrics.count('Refused', { source: 'stripe', reason: 'too-old' })
    expect(written).toEqual([])
    metrics.publish()
    expect(documents()).toEqual([
      {
        _aws: {
          Timestamp: expect.any(Number),
          CloudWatchMetrics: [
            {
              Namespace: 'Gatehouse',
              Dimensions: [['service'], ['service', 'source', 'reason']],
              Metrics: [{ Name: 'Refused', Unit: 'Count' }],
            },
          ],
        },
        service: 'gatehouse-test',
        source: 'stripe',
        reason: 'too-old',
        Refused: 1,
      },
    ])
  })

  it('that are apart are written for their own dimensions only', () => {
    metrics.count('DeadDeliveries', { destination: 'crm' }, true)
    metrics.measure('OldestDeliveryAge', 7, { destination: 'crm' }, true)
    metrics.count('DeadDeliveries', { destination: 'crm' })
    metrics.publish()
    const dimensions = documents().map(({ _aws }) => _aws.CloudWatchMetrics[0].Dimensions)
    expect(dimensions).toEqual([[['service', 'destination']], [['service'], ['service', 'destination']]])
  })

  it('are aggregated: one line for each set of dimensions', () => {
    for (const source of ['payment', 'stripe', 'payment']) metrics.count('Retried', { source })
    metrics.count('Failed', { source: 'stripe' })
    metrics.count('AnnouncementLost')
    metrics.publish()
    expect(documents()).toMatchObject([
      { source: 'payment', Retried: 2 },
      { source: 'stripe', Retried: 1, Failed: 1 },
      { AnnouncementLost: 1, _aws: { CloudWatchMetrics: [{ Dimensions: [['service']] }] } },
    ])
  })

  it('of a measurement keep the maximum, in milliseconds', () => {
    for (const age of [5, 7, 6]) metrics.measure('OldestDueAge', age)
    metrics.publish()
    const [document] = documents()
    expect(document).toMatchObject({ service: 'gatehouse-test', OldestDueAge: 7 })
    expect(document._aws.CloudWatchMetrics).toEqual([
      { Namespace: 'Gatehouse', Dimensions: [['service']], Metrics: [{ Name: 'OldestDueAge', Unit: 'Milliseconds' }] },
    ])
  })

  it('of other values have their unit, and are in one line', () => {
    metrics.measure('Sessions', 3)
    metrics.measure('PlacesTaken', 0.03)
    metrics.count('MessagesDelivered')
    metrics.publish()
    const [document, ...others] = documents()
    expect([document, others]).toMatchObject([{ Sessions: 3, PlacesTaken: 0.03, MessagesDelivered: 1 }, []])
    expect(document._aws.CloudWatchMetrics[0].Metrics).toEqual([
      { Name: 'Sessions', Unit: 'Count' },
      { Name: 'PlacesTaken', Unit: 'Percent' },
      { Name: 'MessagesDelivered', Unit: 'Count' },
    ])
  })

  it('are written immediately outside of an invocation', () => {
    metrics = promptEmfMetrics('gatehouse-test')
    metrics.count('Replayed', { source: 'payment' })
    metrics.count('Replayed', { source: 'payment' })
    metrics.measure('OldestDueAge', 5)
    const [first, ...others] = documents()
    expect(first).toMatchObject({ service: 'gatehouse-test', source: 'payment', Replayed: 1 })
    expect(others).toMatchObject([{ Replayed: 1 }, { OldestDueAge: 5 }])
    metrics.publish()
    expect(written).toHaveLength(3)
  })

  it('are written once, and not at all without a change', () => {
    metrics.publish()
    metrics.count('Accepted', { source: 'payment' })
    metrics.measure('OldestDueAge', 1)
    metrics.publish()
    metrics.publish()
    expect(written).toHaveLength(2)
  })
})
