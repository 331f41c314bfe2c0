import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { silenceAlarms } from '../../../infra/deliver/alarms.ts'
import type { Span } from '../../../lib/config.ts'
import { type Datapoints, isInAlarm, type Alarm as Watching } from '../../support/cloudwatch/alarm.ts'

interface Alarm extends Watching {
  readonly AlarmActions: readonly [condition: string, ...unknown[]]
  readonly AlarmName: string
  readonly AlarmDescription: string
  readonly Namespace?: string
}

interface Resources {
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties: Alarm }>>
}

const read = (file: string) => readFileSync(file, 'utf8')

const NAME = '<self:service>-<sls:stage>-'

/** The template's functions stand as their arguments, variables as names in brackets. */
const { Resources: resources }: Resources = parse(
  read('infra/resources/alarms.yml').replaceAll(/\$\{([^}]*)\}/g, '<$1>'),
  { logLevel: 'silent', merge: true },
)
const alarms = Object.values(resources).flatMap(({ Type, Properties }) =>
  Type === 'AWS::CloudWatch::Alarm' ? [Properties] : [],
)
const suffixOf = ({ AlarmName }: Alarm) => AlarmName.replace(NAME, '')

it.each(alarms.map((alarm) => [suffixOf(alarm), alarm] as const))(
  'the alarm %s is named after its stage and leads to its section of the runbook',
  (suffix, { AlarmName, AlarmDescription }) => {
    expect(AlarmName).toBe(`${NAME}${suffix}`)
    expect(AlarmDescription).toMatch(new RegExp(`^[A-Z].*, docs/runbook\\.md#${suffix}$`))
    expect(read('docs/runbook.md')).toContain(`\n## ${suffix}\n`)
  },
)

it('a stage pays for 31 metrics in alarms, and for four more with the container', () => {
  const paid = (some: readonly Alarm[]) =>
    some.reduce((sum, { Metrics = [{ Id: 'all' }] }) => sum + Math.max(1, Metrics.filter(isMetric).length), 0)
  const isMetric = ({ MetricStat: stat }: NonNullable<Alarm['Metrics']>[number]) => stat !== undefined
  const [container, others] = [true, false].map((is) =>
    alarms.filter((alarm) => (suffixOf(alarm) === 'adapter-unhealthy') === is),
  )
  expect([paid(others ?? []), paid(container ?? [])]).toEqual([31, 4])
})

it('the metrics of alarms and the dashboard are numbers that the code counts', () => {
  const watched = alarms.flatMap(({ Namespace, MetricName = '' }) => (Namespace === 'Gatehouse' ? [MetricName] : []))
  const shown = [...read('infra/resources/dashboard.yml').matchAll(/"Gatehouse", "(\w+)"/g)].map(([, name]) => name)
  expect(watched.length * shown.length).toBeGreaterThan(0)
  const counted = read('lib/runtime/metrics.ts')
  expect([...watched, ...shown].filter((name) => !counted.includes(`'${name}'`))).toEqual([])
})

it('an alarm wakes somebody where the runbook says so, and waits for the morning otherwise', () => {
  const rows = [...read('docs/runbook.md').matchAll(/^- [^:]+: (\[.+), (woken|morning)$/gm)]
  const said = rows.flatMap(([, links = '', who]) =>
    [...links.matchAll(/\(#([\w-]+)\)/g)].map(([, suffix]) => `${suffix}: ${who}`),
  )
  const told = alarms.map(
    (alarm) => `${suffixOf(alarm)}: ${alarm.AlarmActions[0] === 'HasAlarmTopic' ? 'woken' : 'morning'}`,
  )
  expect(said).toEqual(expect.arrayContaining(told))
})

/** What is seen in one period, and whether it is an alarm. */
const SEEN: readonly (readonly [alarm: string, what: string, seen: Datapoints, isAlarm: boolean])[] = [
  ['server-errors', 'two of ten calls', { calls: 10, errors: 2 }, true],
  ['server-errors', 'one error in a hundred of many', { calls: 100_000, errors: 1000 }, false],
  ['server-errors', 'two errors in a hundred of many', { calls: 100_000, errors: 2000 }, true],
  ['server-errors', 'no call at all', {}, false],
  ['server-errors-slow', 'three calls of sixty in six hours', { calls: 60, errors: 3 }, true],
  ['server-errors-slow', 'two calls of sixty in six hours', { calls: 60, errors: 2 }, false],
  ['server-errors-slow', 'what the objective allows', { calls: 100_000, errors: 100 }, false],
  ['answers-slow', 'every one of twenty calls', { calls: 20, quick: 0 }, true],
  ['answers-slow', 'every one of ten calls, as after a night', { calls: 10, quick: 0 }, false],
  ['answers-slow', 'two calls in a hundred of many', { calls: 100_000, quick: 98 }, true],
  ['answers-slow', 'what the objective allows', { calls: 100_000, quick: 99.9 }, false],
  ['answers-slow', 'no call at all', {}, false],
  ['deliveries-late', 'five deliveries of thirty', { late: 5, delivered: 30 }, true],
  ['deliveries-late', 'four deliveries of five', { late: 4, delivered: 5 }, false],
  ['deliveries-late', 'what was given up, and nothing arrived', { dead: 5 }, true],
  ['deliveries-late', 'what the objective allows', { late: 500, dead: 500, delivered: 100_000 }, false],
  ['deliveries-late', 'no delivery at all', {}, false],
  ['webhooks-refused', 'a wrong rotation of one source of two', { refused: 10, accepted: 5, duplicate: 1 }, true],
  ['webhooks-refused', 'strangers beside much traffic', { refused: 100, accepted: 900 }, false],
  ['webhooks-refused', 'a few that try', { refused: 4 }, false],
  ['webhooks-refused', 'nothing', {}, false],
  ['gateway-throttled', 'a call that was turned away', { GatewayThrottled: 1 }, true],
  ['gateway-throttled', 'nothing', {}, false],
  ['limiter-failing', 'an outage of the table', { LimiterFailure: 200 }, true],
  ['limiter-failing', 'one call whose answer was lost', { LimiterFailure: 1 }, false],
  ['retry-waiting', 'a hint at the end of its longest delay', { ApproximateAgeOfOldestMessage: 905 }, false],
  ['retry-waiting', 'a hint that nobody reads', { ApproximateAgeOfOldestMessage: 1900 }, true],
  ['replay-waiting', 'a step that nobody reads', { ApproximateAgeOfOldestMessage: 1900 }, true],
  ['account-concurrency', 'nine tenths of the quota', { running: 900 }, true],
  ['account-concurrency', 'half of the quota', { running: 500 }, false],
]

it.each(SEEN)('%s: %s', (suffix, _, seen, isAlarm) => {
  const alarm = alarms.find((each) => suffixOf(each) === suffix)
  expect(alarm && isInAlarm(alarm, seen)).toBe(isAlarm)
})

describe('the alarm of a source with expectEvery', () => {
  const model = { Type: 'AWS::CloudWatch::Alarm', Properties: { ...resources['ScanSilentAlarm']?.Properties } }
  const alarmOf = (expectEvery: Span, name = 'shop') =>
    Object.values(silenceAlarms({ [name]: { preset: 'zoom', expectEvery } }, 'gatehouse-prod', model))[0]
      ?.Properties as unknown as Alarm

  it.each<[Span, period: number, periods: number]>([
    ['12m', 300, 3],
    ['1d', 300, 288],
    ['25h', 3600, 25],
  ])('for %s looks at that time, in periods that CloudWatch allows', (expectEvery, period, periods) => {
    expect(alarmOf(expectEvery)).toMatchObject({ Period: period, EvaluationPeriods: periods })
    expect(period * periods).toBeLessThanOrEqual(period < 3600 ? 86_400 : 604_800)
  })

  it.each<[string, Datapoints, boolean]>([
    ['no call, or only refused ones', {}, true],
    ['one accepted call', { Accepted: 1 }, false],
  ])('with %s: %j is in alarm: %s', (_, seen, isAlarm) => {
    expect(isInAlarm(alarmOf('2h'), seen)).toBe(isAlarm)
  })

  it('counts what the intake counts for this source of this stage', () => {
    expect(alarmOf('2h', 'shop.eu')).toMatchObject({
      AlarmName: 'gatehouse-prod-source-silent-shop.eu',
      Namespace: 'Gatehouse',
      MetricName: 'Accepted',
      Dimensions: [
        { Name: 'service', Value: 'gatehouse-prod' },
        { Name: 'source', Value: 'shop.eu' },
      ],
      Statistic: 'Sum',
    })
  })

  it('has a logical id of its own, and a source without a time has no alarm', () => {
    const names = ['a-b', 'a.b', 'a_b', 'adashb']
    const sources = Object.fromEntries(names.map((name) => [name, { preset: 'zoom', expectEvery: '2h' }] as const))
    const ids = Object.keys(silenceAlarms({ ...sources, quiet: { preset: 'zoom' } }, 'gatehouse-prod', model))
    expect(new Set(ids).size).toBe(4)
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9]+$/)
  })
})
