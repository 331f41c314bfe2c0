import { readFileSync } from 'node:fs'
import type { StackTemplate } from './deliver/nested.ts'
import { logicalIdOf } from './logical-id.ts'
import { conditionHolds } from './preflight/template.ts'

/** The pages whose queries are saved, so that each query is written once. */
const PAGES = ['docs/operations.md', 'docs/runbook.md']

/** A query of a page, with its section and the text right before it. */
export interface PageQuery {
  readonly name: string
  readonly text: string
  readonly before: string
}

/** The queries of CloudWatch Logs Insights in a page; a second one of a section has a number. */
export function queriesIn(page: string): readonly PageQuery[] {
  return page.split(/^##+ /m).flatMap((section) => {
    const [title = ''] = section.split('\n', 1)
    const blocks = [...section.matchAll(/([^\n]*(?:\n[^\n]+)*)\n\n```\n((?:filter|fields|stats) .*?)\n```$/gms)]
    return blocks.map(([, before = '', text = ''], index) => ({ name: nameOf(title, index), text, before }))
  })
}

function nameOf(title: string, index: number): string {
  const name = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return index === 0 ? name : `${name}-${index + 1}`
}

/** A log group, and what its streams are named after. */
export interface Log {
  readonly name: string
  /** Functions, or the container. */
  readonly writers: readonly string[]
}

/** The logs of a query: those that the text before it names, else those of the function that it names, else all but others' logs. */
export function groupsOf({ text, before }: PageQuery, logs: readonly Log[]): readonly string[] {
  const [, writer = ''] = /@logStream like '([^']+)'/.exec(text) ?? []
  const isMeant = before.includes('access log')
    ? ({ name }: Log) => name.startsWith('/aws/vendedlogs/')
    : before.includes('/adapter`')
      ? ({ name }: Log) => name.endsWith('/adapter')
      : ({ writers }: Log) => writers.some((one) => one.includes(writer))
  return logs.filter(isMeant).map(({ name }) => name)
}

/**
 * The template with a saved query for each of the pages, named `gatehouse-<stage>/<section>`, except those about logs
 * that the stage does not have.
 */
export function withQueries(template: StackTemplate, stage: string, pages = PAGES.map(textOf)): StackTemplate {
  const logs = logsOf(template)
  const saved = pages.flatMap(queriesIn).flatMap((query) => {
    const LogGroupNames = groupsOf(query, logs)
    if (LogGroupNames.length === 0) return []
    const id = query.name.split('-').map(logicalIdOf).join('')
    const Properties = { Name: `gatehouse-${stage}/${query.name}`, QueryString: query.text, LogGroupNames }
    return [[`SavedQuery${id}`, { Type: 'AWS::Logs::QueryDefinition', Properties }] as const]
  })
  return { ...template, Resources: { ...template.Resources, ...Object.fromEntries(saved) } }
}

function textOf(file: string): string {
  return readFileSync(file, 'utf8')
}

/** The logs that a stage has; a query over one that is not there fails. */
function logsOf({ Resources: resources, Conditions: conditions = {} }: StackTemplate): readonly Log[] {
  const all = Object.values(resources)
  const functions = all.filter(({ Type: type }) => type === 'AWS::Lambda::Function').map(({ Properties }) => Properties)
  return all.flatMap(({ Type: type, Condition: condition, Properties: properties }) => {
    const isMade = condition === undefined || conditionHolds({ Condition: condition }, conditions)
    if (type !== 'AWS::Logs::LogGroup' || !isMade) return []
    const name = String(properties?.['LogGroupName'])
    const own = functions.filter((one) => (one?.['LoggingConfig'] as LoggingConfig | undefined)?.LogGroup === name)
    const writers = name.endsWith('/adapter') ? ['adapter'] : own.map((one) => String(one?.['FunctionName']))
    return [{ name, writers }]
  })
}

interface LoggingConfig {
  readonly LogGroup: string
}
