import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { type Alarm, isInAlarm } from './alarm.ts'

interface OneMetricAlarm extends Alarm {
  readonly AlarmName: string
  readonly MetricName: string
  readonly Statistic: 'Maximum' | 'Minimum'
}

interface Resources {
  readonly Resources: Readonly<Record<string, { readonly Properties: OneMetricAlarm }>>
}

/** An alarm of the template on one of our own metrics, by the end of its name. */
export function templateAlarm(suffix: string) {
  const text = readFileSync('infra/resources/alarms.yml', 'utf8').replaceAll(/\$\{([^}]*)\}/g, '<$1>')
  const { Resources: resources }: Resources = parse(text, { logLevel: 'silent', merge: true })
  const alarm = Object.values(resources).find(({ Properties: { AlarmName = '' } }) => AlarmName.endsWith(`>-${suffix}`))
  if (!alarm) throw new Error(`the template has no alarm ${suffix}`)
  const { MetricName: metric, Statistic: statistic } = alarm.Properties
  const aggregate = { Maximum: Math.max, Minimum: Math.min }[statistic]

  /** @param lines the log of one period */
  return function state(lines: readonly string[]): 'OK' | 'ALARM' {
    const values = lines.flatMap((line) => emittedIn(line, metric))
    return isInAlarm(alarm.Properties, values.length > 0 ? { [metric]: aggregate(...values) } : {}) ? 'ALARM' : 'OK'
  }
}

/** What CloudWatch takes out of a line of the log (CloudWatch user guide, "Specification: Embedded metric format"). */
function emittedIn(line: string, metric: string): readonly number[] {
  if (!line.includes('"_aws"')) return []
  const { _aws: aws, ...values } = JSON.parse(line)
  const named: readonly { readonly Name: string }[] = aws.CloudWatchMetrics.flatMap(
    ({ Metrics }: { readonly Metrics: readonly unknown[] }) => Metrics,
  )
  return named.some(({ Name }) => Name === metric) ? [Number(values[metric])] : []
}
