import { type Expression, parseExpressionAt } from 'acorn'

/** A metric's value over one period; undefined while it has no data. */
export type Datapoints = Readonly<Record<string, number | undefined>>

interface MetricQuery {
  readonly Id: string
  readonly Expression?: string
}

export interface Alarm {
  readonly MetricName?: string
  readonly Metrics?: readonly MetricQuery[]
  readonly Threshold: number
  readonly ComparisonOperator: string
  readonly TreatMissingData: string
}

/** What the quota of running functions is here. */
const QUOTA = 1000

/**
 * Whether an alarm of one period is in ALARM, after CloudWatch's metric math ("Using math expressions with metrics"): what is
 * computed of a metric without data has none itself.
 * @param datapoints by the id of a metric, or by the name of the alarm's one metric
 */
export function isInAlarm(alarm: Alarm, datapoints: Datapoints): boolean {
  const { MetricName: name, Metrics: metrics = [], Threshold: threshold, ComparisonOperator: operator } = alarm
  const [math] = metrics.flatMap(({ Expression: text }) => text ?? [])
  const value =
    name === undefined
      ? computed(parseExpressionAt(math ?? '', 0, { ecmaVersion: 2024 }), datapoints)
      : datapoints[name]
  if (value === undefined) return alarm.TreatMissingData === 'breaching'
  if (operator === 'GreaterThanThreshold') return value > threshold
  if (operator === 'LessThanThreshold') return value < threshold
  throw new Error(`not known here: ${operator}`)
}

const BINARY: Readonly<Record<string, (one: number, other: number) => number>> = {
  '+': (one, other) => one + other,
  '-': (one, other) => one - other,
  '*': (one, other) => one * other,
  '/': (one, other) => one / other,
  '>=': (one, other) => Number(one >= other),
  '>': (one, other) => Number(one > other),
  '<': (one, other) => Number(one < other),
}

function computed(node: Expression, datapoints: Datapoints): number | undefined {
  const of = (each: unknown) => computed(each as Expression, datapoints)
  switch (node.type) {
    case 'Literal':
      return Number(node.value)
    case 'Identifier':
      return datapoints[node.name]
    case 'BinaryExpression': {
      const [one, other] = [of(node.left), of(node.right)]
      const compute = BINARY[node.operator]
      if (compute === undefined) throw new Error(`not known here: ${node.operator}`)
      return one === undefined || other === undefined ? undefined : compute(one, other)
    }
    case 'CallExpression':
      return called((node.callee as { name: string }).name, node.arguments, of)
    default:
      throw new Error(`not known here: ${node.type}`)
  }
}

function called(name: string, args: readonly unknown[], of: (node: unknown) => number | undefined): number | undefined {
  const [first, second, third] = args
  if (name === 'FILL') return of(first) ?? of(second)
  if (name === 'SERVICE_QUOTA') return QUOTA
  if (name !== 'IF') throw new Error(`not known here: ${name}`)
  const condition = of(first)
  if (condition === undefined) return undefined
  return of(condition === 0 ? third : second)
}
