import { type Alarm, type Datapoints, isInAlarm, type MetricPlace } from './alarm.ts'
import type { Metric } from './search.ts'

/** A value of a metric at a time. */
export interface Point extends Metric {
  /** In milliseconds. */
  readonly at: number
  readonly value: number
}

export interface Watch {
  /** Everything that was published. */
  readonly points: readonly Point[]
  /** The end of the last period, in milliseconds. */
  readonly now: number
  /** What a reference of the template comes to. */
  readonly nameOf: (reference: unknown) => string
  /** Of running functions. */
  readonly quota?: number
}

interface Wanted extends MetricPlace {
  readonly id: string
  readonly statistic: string
  readonly period: number
}

/** The state of an alarm of a template (CloudWatch user guide, "Evaluating an alarm"): periods without data count as it says. */
export function stateOf(alarm: Alarm, watch: Watch): 'ALARM' | 'OK' {
  const { EvaluationPeriods: periods = 1, DatapointsToAlarm: needed = periods } = alarm
  const breaching = Array.from({ length: periods }, (_, back) =>
    isInAlarm(alarm, seenIn(alarm, watch, back), watch.quota),
  )
  return breaching.filter(Boolean).length >= needed ? 'ALARM' : 'OK'
}

/** What an alarm sees of a period, that many before the last one. */
function seenIn(alarm: Alarm, watch: Watch, back: number): Datapoints {
  return Object.fromEntries(
    wantedBy(alarm).map((wanted) => {
      const end = watch.now - back * wanted.period * 1000
      const isIn = ({ at }: Point) => at > end - wanted.period * 1000 && at <= end
      const values = watch.points
        .filter((point) => isIn(point) && isMeant(point, wanted, watch))
        .map(({ value }) => value)
      return [wanted.id, values.length === 0 ? undefined : aggregated(wanted.statistic, values)]
    }),
  )
}

function wantedBy(alarm: Alarm): readonly Wanted[] {
  const { MetricName: name, Metrics: metrics = [], Statistic: statistic = '', Period: period = 0 } = alarm
  if (name !== undefined) return [{ ...alarm, id: name, statistic, period }]
  return metrics.flatMap(({ Id: id, Expression: text = '', Period: ownPeriod = 0, MetricStat: stat }) => {
    if (stat) return [{ ...stat.Metric, id, statistic: stat.Stat, period: stat.Period }]
    return text.startsWith('SELECT ') ? [{ ...selected(text), id, period: ownPeriod }] : []
  })
}

const SELECT = /^SELECT (SUM|MAX)\((\w+)\) FROM SCHEMA\("([^"]+)", ([\w, ]+)\)$/

/** What a query of Metrics Insights sums up; a dimension without a value stands for all. */
function selected(text: string): Omit<Wanted, 'id' | 'period'> {
  const [, statistic = '', MetricName = '', Namespace = '', names = ''] = SELECT.exec(text) ?? []
  if (statistic === '') throw new Error(`not known here: ${text}`)
  const Dimensions = names.split(', ').map((Name) => ({ Name, Value: undefined }))
  return { MetricName, Namespace, Dimensions, statistic: statistic === 'SUM' ? 'Sum' : 'Maximum' }
}

/** Whether a point is of the metric: the namespace, the name, and exactly these dimensions. */
function isMeant({ namespace, name, dimensions }: Point, wanted: Wanted, { nameOf }: Watch): boolean {
  const { Namespace, MetricName, Dimensions = [] } = wanted
  if (namespace !== Namespace || name !== MetricName) return false
  if (Object.keys(dimensions).length !== Dimensions.length) return false
  return Dimensions.every(({ Name, Value }) =>
    Value === undefined ? Object.hasOwn(dimensions, Name) : dimensions[Name] === nameOf(Value),
  )
}

function aggregated(statistic: string, values: readonly number[]): number {
  if (statistic === 'Sum') return values.reduce((sum, value) => sum + value, 0)
  if (statistic === 'Maximum') return Math.max(...values)
  if (statistic === 'Minimum') return Math.min(...values)
  const [, most] = /^PR\(:(\d+)\)$/.exec(statistic) ?? []
  if (most !== undefined) return (100 * values.filter((value) => value <= Number(most)).length) / values.length
  throw new Error(`not known here: ${statistic}`)
}
