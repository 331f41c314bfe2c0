import { type Expression, parseExpressionAt } from 'acorn'

/** A metric's value over one period; undefined while it has no data. */
export type Datapoints = Readonly<Record<string, number | undefined>>

/** What a metric is told apart by, its values resolved or not. */
export interface MetricPlace {
  readonly Namespace?: string
  readonly MetricName?: string
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: unknown }[]
}

interface MetricQuery {
  readonly Id: string
  readonly Expression?: string
  readonly Period?: number
  readonly MetricStat?: { readonly Metric: MetricPlace; readonly Stat: string; readonly Period: number }
}

export interface Alarm extends MetricPlace {
  readonly Metrics?: readonly MetricQuery[]
  readonly Threshold: number
  readonly ComparisonOperator: string
  readonly TreatMissingData: string
  readonly Statistic?: string
  readonly Period?: number
  readonly EvaluationPeriods?: number
  readonly DatapointsToAlarm?: number
}

/** What the quota of running functions is where nobody says. */
const QUOTA = 1000

/** Whether a value is one to alarm of. */
const COMPARISONS: Readonly<Record<string, (value: number, threshold: number) => boolean>> = {
  GreaterThanThreshold: (value, threshold) => value > threshold,
  LessThanThreshold: (value, threshold) => value < threshold,
}

/**
 * Whether one period is one to alarm of, after CloudWatch's metric math ("Using math expressions with metrics"): what is
 * computed of a metric without data has none itself.
 * @param datapoints by the id of a metric, or by the name of the alarm's one metric
 * @param quota of running functions
 */
export function isInAlarm(alarm: Alarm, datapoints: Datapoints, quota = QUOTA): boolean {
  const { MetricName: name, Metrics: metrics = [], Threshold: threshold, ComparisonOperator: operator } = alarm
  const [query] = metrics.filter(({ Expression: text }) => text !== undefined)
  const { Id: id = '', Expression: math = '' } = query ?? {}
  const value =
    name === undefined && !math.startsWith('SELECT ')
      ? computed(parseExpressionAt(math, 0, { ecmaVersion: 2024 }), { ...datapoints, [SERVICE_QUOTA]: quota })
      : datapoints[name ?? id]
  if (value === undefined) return alarm.TreatMissingData === 'breaching'
  const breaches = COMPARISONS[operator]
  if (breaches === undefined) throw new Error(`not known here: ${operator}`)
  return breaches(value, threshold)
}

const SERVICE_QUOTA = 'SERVICE_QUOTA'

type Binary = (one: number, other: number) => number

const BINARY: Readonly<Record<string, Binary>> = {
  '+': (one, other) => one + other,
  '-': (one, other) => one - other,
  '*': (one, other) => one * other,
  '/': (one, other) => one / other,
  '>=': (one, other) => Number(one >= other),
  '>': (one, other) => Number(one > other),
  '<': (one, other) => Number(one < other),
  '||': (one, other) => Number(one !== 0 || other !== 0),
}

function computed(node: Expression, datapoints: Datapoints): number | undefined {
  const of = (each: unknown) => computed(each as Expression, datapoints)
  switch (node.type) {
    case 'Literal':
      return Number(node.value)
    case 'Identifier':
      return datapoints[node.name]
    case 'LogicalExpression':
    case 'BinaryExpression': {
      const [one, other] = [of(node.left), of(node.right)]
      const compute = BINARY[node.operator]
      if (compute === undefined) throw new Error(`not known here: ${node.operator}`)
      return one === undefined || other === undefined ? undefined : compute(one, other)
    }
    case 'CallExpression':
      return called((node.callee as { name: string }).name, node.arguments, of, datapoints)
    default:
      throw new Error(`not known here: ${node.type}`)
  }
}

type Of = (node: unknown) => number | undefined

function called(name: string, args: readonly unknown[], of: Of, datapoints: Datapoints): number | undefined {
  const [first, second, third] = args
  if (name === 'FILL') return of(first) ?? of(second)
  if (name === SERVICE_QUOTA) return datapoints[SERVICE_QUOTA]
  if (name === 'MAX' || name === 'MIN') return extreme(name, (first as { elements: readonly unknown[] }).elements, of)
  if (name !== 'IF') throw new Error(`not known here: ${name}`)
  const condition = of(first)
  if (condition === undefined) return undefined
  return of(condition === 0 ? third : second)
}

/** Of those of an array that have data. */
function extreme(name: 'MAX' | 'MIN', elements: readonly unknown[], of: Of): number | undefined {
  const values = elements.map(of).filter((value) => value !== undefined)
  if (values.length === 0) return undefined
  return name === 'MAX' ? Math.max(...values) : Math.min(...values)
}
