import { describe, expect, it } from 'vitest'
import { publishedBy } from '../support/cloudwatch/published.ts'
import { type Metric, searchesIn } from '../support/cloudwatch/search.ts'
import { ofType } from '../support/template/template.ts'
import { templateOf } from './packages.ts'

/** Stages of one account, whose names begin alike. */
const STAGES = ['gatehouse-prod', 'gatehouse-prod2', 'gatehouse-prod-eu', 'gatehouse-production'] as const

type Stage = (typeof STAGES)[number]

const template = templateOf('prod')

/** What AWS calls what a reference in the template of a stage means. */
function nameIn(stage: Stage) {
  return (reference: string): string => {
    const [id = '', attribute = ''] = reference.split('.')
    const { Type: type = '', Properties: properties = {} } = template.Resources[id] ?? {}
    const property = NAMES[type]
    const name = property ? String(properties[property]) : `gatehouse-prod/${id}/${attribute}`
    return name.replace(/gatehouse(.)prod/, (_, sign) => stage.replace('-', sign))
  }
}

/** Properties by which resources are named. */
const NAMES: Readonly<Record<string, string>> = {
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::Logs::LogGroup': 'LogGroupName',
  'AWS::SQS::Queue': 'QueueName',
  'AWS::DynamoDB::Table': 'TableName',
}

const metricsOf = (stage: Stage) => publishedBy(template, stage, nameIn(stage))

/** What CloudFormation makes of a value, with the container or without. */
function resolve(value: unknown, hasContainer: boolean): string {
  if (typeof value === 'string') return value
  const { 'Fn::Sub': sub, 'Fn::If': choice } = value as { 'Fn::Sub'?: unknown; 'Fn::If'?: readonly unknown[] }
  if (choice) return resolve(choice[hasContainer ? 1 : 2], hasContainer)
  const [text, values = {}] = [sub].flat() as [string, Record<string, unknown>?]
  return text.replaceAll(/\$\{([^}]+)\}/g, (_, name) =>
    Object.hasOwn(values, name) ? resolve(values[name], hasContainer) : nameIn('gatehouse-prod')(name),
  )
}

type Row = readonly (string | { readonly expression?: string; readonly id?: string })[]

interface Widget {
  readonly properties: { readonly metrics?: readonly Row[]; readonly alarms?: readonly string[] }
}

function widgetsOf(hasContainer: boolean): readonly Widget[] {
  const [dashboard] = ofType(template, 'AWS::CloudWatch::Dashboard')
  return JSON.parse(resolve(dashboard?.Properties['DashboardBody'], hasContainer)).widgets
}

/** A row that names a metric, with `.` and `...` for what is as in the row before (CloudWatch API reference, "Dashboard body"). */
function named(row: Row, before: readonly string[]): readonly string[] {
  const texts = row.filter((part) => typeof part === 'string')
  const [first, ...others] = texts
  if (first === '...') return [...before.slice(0, before.length - others.length), ...others]
  return texts.map((text, index) => (text === '.' ? (before[index] ?? '') : text))
}

function metricOf([namespace = '', name = '', ...pairs]: readonly string[]): Metric {
  const dimensions = Object.fromEntries(
    pairs.flatMap((key, index) => (index % 2 === 0 ? [[key, pairs[index + 1] ?? '']] : [])),
  )
  return { namespace, name, dimensions }
}

/** Each row of a graph with the metrics that it shows. */
function rowsOf({ properties: { metrics = [] } }: Widget, there: readonly Metric[]) {
  let before: readonly string[] = []
  return metrics.flatMap((row) => {
    const [first] = row
    if (typeof first === 'object') {
      return searchesIn(first.expression ?? '', there).map((found) => ({ row: first.expression, found }))
    }
    before = named(row, before)
    const wanted = metricOf(before)
    return [{ row: before.join(' '), found: there.filter((metric) => isSame(metric, wanted)) }]
  })
}

function isSame(one: Metric, other: Metric): boolean {
  const textOf = ({ namespace, name, dimensions }: Metric) =>
    JSON.stringify([namespace, name, Object.entries(dimensions).sort()])
  return textOf(one) === textOf(other)
}

/** What Lambda publishes of the account as a whole. */
const OF_ALL: readonly Metric[] = [{ namespace: 'AWS/Lambda', name: 'Throttles', dimensions: {} }]

describe.each([
  ['without the container', false],
  ['with the container', true],
])('the dashboard %s', (_, hasContainer) => {
  it('shows something in every row, and only resources of this stage', () => {
    const [own, ...others] = STAGES.map(metricsOf)
    const all = [...(own ?? []), ...others.flat(), ...OF_ALL]
    const rows = widgetsOf(hasContainer).flatMap((widget) => rowsOf(widget, all))
    expect(rows.length).toBeGreaterThan(100)
    expect(rows.filter(({ found }) => found.length === 0).map(({ row }) => row)).toEqual([])
    const foreign = rows.filter(({ found }) => found.some((metric) => ![...(own ?? []), ...OF_ALL].includes(metric)))
    expect(foreign.map(({ row }) => row)).toEqual([])
  })

  it('shows every alarm', () => {
    const shown = widgetsOf(hasContainer).flatMap(({ properties: { alarms = [] } }) => alarms)
    const alarms = ofType(template, 'AWS::CloudWatch::Alarm')
      .filter(({ Condition }) => hasContainer || Condition === undefined)
      .map(({ name }) => nameIn('gatehouse-prod')(`${name}.Arn`))
    expect(shown.toSorted()).toEqual(alarms.sort())
  })
})
