import { describe, expect, it } from 'vitest'
import type { Alarm } from '../../support/cloudwatch/alarm.ts'
import { isFiltered, pointsIn } from '../../support/cloudwatch/emf.ts'
import { type Point, stateOf } from '../../support/cloudwatch/watched.ts'

const MINUTE = 60_000

const dead = (minute: number, value: number, dimensions: Point['dimensions'] = { service: 's' }): Point => ({
  namespace: 'Gatehouse',
  name: 'Dead',
  dimensions,
  at: minute * MINUTE,
  value,
})

const ALARM: Alarm = {
  Namespace: 'Gatehouse',
  MetricName: 'Dead',
  Dimensions: [{ Name: 'service', Value: { Ref: 'Service' } }],
  Statistic: 'Sum',
  Period: 60,
  Threshold: 1,
  ComparisonOperator: 'GreaterThanThreshold',
  TreatMissingData: 'notBreaching',
}

const state = (points: readonly Point[], changes: Partial<Alarm> = {}, now = 3) =>
  stateOf({ ...ALARM, ...changes }, { points, now: now * MINUTE, nameOf: () => 's' })

describe('an alarm', () => {
  it('sums up the period that ends now, and starts again with the next', () => {
    expect(state([dead(2.2, 1), dead(3, 1)])).toBe('ALARM')
    expect(state([dead(2, 1), dead(3, 1)])).toBe('OK')
    expect(state([dead(2.2, 2)], {}, 4)).toBe('OK')
  })

  it('ignores metrics with other dimensions, more or fewer', () => {
    for (const dimensions of [{}, { service: 'other' }, { service: 's', source: 'a' }]) {
      expect(state([dead(3, 9, dimensions)])).toBe('OK')
    }
  })

  it('needs its number of periods, among those that it evaluates', () => {
    const every = { EvaluationPeriods: 3, DatapointsToAlarm: 2 }
    expect(state([dead(1, 2), dead(3, 2)], every)).toBe('ALARM')
    expect(state([dead(3, 4)], every)).toBe('OK')
    expect(state([dead(3, 4)], { ...every, TreatMissingData: 'breaching' })).toBe('ALARM')
  })

  it('uses the maximum if the statistic says so', () => {
    expect(state([dead(3, 1), dead(2.5, 1)], { Statistic: 'Maximum' })).toBe('OK')
  })
})

describe('metrics in a log', () => {
  const line = JSON.stringify({
    _aws: {
      Timestamp: 7,
      CloudWatchMetrics: [{ Namespace: 'G', Dimensions: [['a'], ['a', 'b']], Metrics: [{ Name: 'N' }] }],
    },
    a: 'x',
    b: 'y',
    N: [1, 2],
  })

  it('are counted for each set of dimensions', () => {
    const seen = pointsIn(line).map(({ dimensions, value }) => [dimensions, value])
    expect(seen).toEqual([
      [{ a: 'x' }, 1],
      [{ a: 'x' }, 2],
      [{ a: 'x', b: 'y' }, 1],
      [{ a: 'x', b: 'y' }, 2],
    ])
  })

  it('do not exist if the line contains anything else', () => {
    expect(pointsIn(`2026-11-22T00:00:00.000Z\tid\tINFO\t${line}`)).toEqual([])
    expect(pointsIn('{"level":"INFO"}')).toEqual([])
  })

  it('a metric filter counts the lines that match all of its terms', () => {
    const pattern = '{ ($.status = "429") && ($.integration = "-") }'
    expect(isFiltered(pattern, '{"status":"429","integration":"-"}')).toBe(true)
    expect(isFiltered(pattern, '{"status":"429","integration":"200"}')).toBe(false)
    expect(isFiltered(pattern, 'no JSON')).toBe(false)
    expect(() => isFiltered('ERROR', '')).toThrow('not known here: ERROR')
  })
})
