import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import type { StackTemplate } from './deliver/nested.ts'
import { logicalIdOf } from './names.ts'

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

/**
 * The logs of a query: the access log or that of the container if the text before it names it, else those of all functions and
 * of the container.
 * @param groups all log groups of the stage
 */
export function groupsOf({ before }: PageQuery, groups: readonly string[]): readonly string[] {
  if (before.includes('access log')) return groups.filter((group) => group.startsWith('/aws/vendedlogs/'))
  if (before.includes('/adapter`')) return groups.filter((group) => group.endsWith('/adapter'))
  return groups.filter((group) => !group.startsWith('/aws/'))
}

/**
 * The template with a saved query for each of the pages, named `<prefix>/<section>`, except those about logs
 * that the stage does not have.
 */
export function withQueries(template: StackTemplate, prefix: string, pages = PAGES.map(textOf)): StackTemplate {
  const groups = logGroupsOf(template)
  const saved = pages.flatMap(queriesIn).flatMap((query) => {
    const LogGroupNames = groupsOf(query, groups)
    if (LogGroupNames.length === 0) return []
    const id = query.name.split('-').map(logicalIdOf).join('')
    const Properties = { Name: `${prefix}/${query.name}`, QueryString: query.text, LogGroupNames }
    return [[`SavedQuery${id}`, { Type: 'AWS::Logs::QueryDefinition', Properties }] as const]
  })
  return { ...template, Resources: { ...template.Resources, ...Object.fromEntries(saved) } }
}

function textOf(file: string): string {
  return readFileSync(file, 'utf8')
}

/** The names of the logs that a stage has; a query over one that is not there fails. */
function logGroupsOf({ Resources: resources, Conditions: conditions = {} }: StackTemplate): readonly string[] {
  return Object.values(resources).flatMap(({ Type: type, Condition: condition, Properties: properties }) => {
    const isMade = condition === undefined || conditionHolds({ Condition: condition }, conditions)
    return type === 'AWS::Logs::LogGroup' && isMade ? [String(properties?.['LogGroupName'])] : []
  })
}

type Conditions = Readonly<Record<string, unknown>>

/** Whether a condition holds; a condition on something that only AWS knows counts as true. */
function conditionHolds(condition: unknown, conditions: Conditions): boolean {
  const [[operator, argument] = []] = Object.entries(condition as object)
  const parts = [argument].flat()
  switch (operator) {
    case 'Condition':
      return conditionHolds(conditions[String(argument)] ?? {}, conditions)
    case 'Fn::Not':
      return !conditionHolds(parts[0], conditions)
    case 'Fn::And':
      return parts.every((part) => conditionHolds(part, conditions))
    case 'Fn::Or':
      return parts.some((part) => conditionHolds(part, conditions))
    case 'Fn::Equals':
      return isDeepStrictEqual(parts[0], parts[1])
    default:
      return true
  }
}
