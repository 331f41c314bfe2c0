import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { StackTemplate } from '../../../infra/deliver/nested.ts'
import { isSavedQuery } from '../../../infra/deliver/nesting.ts'
import { groupsOf, type PageQuery, queriesIn, withQueries } from '../../../infra/queries.ts'

const GROUPS = [
  '/gatehouse/prod/jobs',
  '/gatehouse/prod/login',
  '/aws/vendedlogs/http-api/gatehouse-prod',
  '/gatehouse/prod/adapter',
]

const logGroup = (LogGroupName: string, Condition?: string) => ({
  Type: 'AWS::Logs::LogGroup',
  ...(Condition && { Condition }),
  Properties: { LogGroupName },
})

const template: StackTemplate = {
  Conditions: { HasAdapter: { 'Fn::Equals': ['false', 'true'] } },
  Resources: Object.fromEntries(
    GROUPS.map((name, index) => [`Log${index}`, logGroup(name, name.endsWith('adapter') ? 'HasAdapter' : undefined)]),
  ),
}

/** What is saved of a page with that section. */
const savedOf = (section: string, text: string, before = '**Look at** why:') =>
  Object.entries(
    withQueries(template, 'gatehouse-prod', [`# Page\n\n## ${section}\n\n${before}\n\n\`\`\`\n${text}\n\`\`\`\n`])
      .Resources,
  )
    .filter(([id]) => isSavedQuery(id))
    .map(([id, { Properties }]) => ({ id, ...Properties }))

describe('the queries of a page', () => {
  it('are all blocks of the runbook that are not commands, each under its section', () => {
    const text = readFileSync('docs/runbook.md', 'utf8')
    const blocks = [...text.matchAll(/(?<=\n\n)```\n(.*?)\n```$/gms)].map(([, block]) => block)
    expect(blocks.length).toBeGreaterThan(20)
    expect(queriesIn(text).map((query) => query.text)).toEqual(blocks)
  })

  it('have unique names, including those of a section with two', () => {
    const names = ['docs/runbook.md', 'docs/operations.md'].flatMap((page) =>
      queriesIn(readFileSync(page, 'utf8')).map(({ name }) => name),
    )
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(expect.arrayContaining(['server-errors', 'server-errors-2', 'follow-one-event']))
  })
})

describe('a saved query', () => {
  it('has the name of its stage and section, and the logs of all functions', () => {
    expect(savedOf('retry-dead', "filter @logStream like 'retryEvent'\n| stats count()")).toEqual([
      {
        id: 'SavedQueryRetryDead',
        Name: 'gatehouse-prod/retry-dead',
        QueryString: "filter @logStream like 'retryEvent'\n| stats count()",
        LogGroupNames: ['/gatehouse/prod/jobs', '/gatehouse/prod/login'],
      },
    ])
  })

  it('covers the access log if the page names it', () => {
    const [query] = savedOf('throttled', 'filter status = 429', 'Over the access log:')
    expect(query).toMatchObject({ LogGroupNames: ['/aws/vendedlogs/http-api/gatehouse-prod'] })
  })

  it('does not exist without a log', () => {
    expect(savedOf('unhealthy', 'filter a', 'In the log group `/gatehouse/<stage>/adapter`:')).toEqual([])
  })

  it('for an event or a request covers all functions and the container', () => {
    const queries = new Map(queriesIn(readFileSync('docs/operations.md', 'utf8')).map((query) => [query.name, query]))
    const over = (name: string) => groupsOf(queries.get(name) as PageQuery, GROUPS)
    const all = ['/gatehouse/prod/jobs', '/gatehouse/prod/login', '/gatehouse/prod/adapter']
    expect([over('follow-one-event'), over('follow-one-request')]).toEqual([all, all])
  })
})
