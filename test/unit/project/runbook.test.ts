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

const NAME = '<self:service>-<sls:stage>-'

/** The template's functions stand as their arguments, variables as names in brackets. */
const { Resources: resources }: Resources = parse(
  readFileSync('infra/resources/alarms.yml', 'utf8').replaceAll(/\$\{([^}]*)\}/g, '<$1>'),
  { logLevel: 'silent', merge: true },
)
const alarms = Object.values(resources).flatMap(({ Type, Properties }) =>
  Type === 'AWS::CloudWatch::Alarm' ? [Properties] : [],
)
const suffixOf = ({ AlarmName }: Alarm) => AlarmName.replace(NAME, '')

const [, ...sections] = readFileSync('docs/runbook.md', 'utf8').split(/^## /m)
const titles = sections.map((section) => section.split('\n')[0])

describe('docs/runbook.md', () => {
  it('has a section for each alarm, and no other', () => {
    expect(alarms.map(suffixOf).sort()).toEqual([...titles].sort())
  })

  it.each(alarms.map((alarm) => [suffixOf(alarm), alarm] as const))(
    'is where the alarm %s leads to',
    (suffix, alarm) => {
      expect(alarm.AlarmName).toBe(`${NAME}${suffix}`)
      expect(alarm.AlarmDescription).toMatch(new RegExp(`^[A-Z].*, docs/runbook\\.md#${suffix}$`))
    },
  )

  it.each(sections.map((section) => [section.split('\n')[0], section]))(
    'says of %s what it means, which query to run and what to do',
    (_, section) => {
      expect(section).toMatch(/\*\*Means\.\*\*.*\*\*Look at\*\*.*\n```\n.*\n```\n.*\*\*Do\.\*\*/s)
    },
  )
})

describe('what alarms and the dashboard look at', () => {
  const described = readFileSync('docs/operations.md', 'utf8')
  const dashboard = readFileSync('infra/resources/dashboard.yml', 'utf8')

  it('are numbers that somebody writes', () => {
    const watched = alarms.flatMap(({ Namespace, MetricName }) => (Namespace === 'Gatehouse' ? [MetricName] : []))
    const shown = [...dashboard.matchAll(/"Gatehouse", "(\w+)"/g)].map(([, name]) => name)
    expect(watched.length * shown.length).toBeGreaterThan(0)
    for (const name of [...watched, ...shown]) expect(described).toContain(`| \`${name}\` |`)
  })

  it('are lines of the log that are written as the filter has them', () => {
    const keeper = readFileSync('lib/runtime/secret-cache.ts', 'utf8')
    const filter = readFileSync('infra/resources/alarms.yml', 'utf8').match(/FilterPattern: '(.*)'/)?.[1] ?? ''
    const texts = [...filter.matchAll(/\?"([^"]+)"/g)].map(([, text]) => text)
    expect(texts).toHaveLength(2)
    for (const text of texts) expect(keeper).toContain(`('${text}'`)
  })
})
