import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

interface Alarm {
  readonly AlarmName: string
  readonly AlarmDescription: string
  readonly Namespace?: string
  readonly MetricName?: string
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

describe('what alarms and the dashboard look at', () => {
  it('are numbers that the code counts', () => {
    const watched = alarms.flatMap(({ Namespace, MetricName = '' }) => (Namespace === 'Gatehouse' ? [MetricName] : []))
    const shown = [...read('infra/resources/dashboard.yml').matchAll(/"Gatehouse", "(\w+)"/g)].map(([, name]) => name)
    expect(watched.length * shown.length).toBeGreaterThan(0)
    const counted = read('lib/runtime/metrics.ts')
    expect([...watched, ...shown].filter((name) => !counted.includes(`'${name}'`))).toEqual([])
  })
})
