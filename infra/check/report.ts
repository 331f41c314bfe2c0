import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ROUTES } from '../../lib/contract/gen/endpoints.ts'
import type { Route } from '../../lib/contract/route.ts'
import manifest from '../../package.json' with { type: 'json' }
import type { StackTemplate, TemplateResource } from '../deliver/nested.ts'
import { NESTED_STACKS } from '../deliver/nesting.ts'
import type { StageDescription } from '../deployed.ts'
import { table } from '../description/markdown.ts'
import type { Finding } from '../finding.ts'
import { ENGINE } from '../project.ts'

interface Packaged {
  readonly parameters: StageDescription['parameters']
  /** The main template first, then those that are nested in it, by their names. */
  readonly stacks: readonly (readonly [name: string, resources: StackTemplate['Resources']])[]
}

/** What was packaged last; undefined if nothing was. @param folder of the packages */
export function packagedIn(folder: string): Packaged | undefined {
  const main = join(folder, 'cloudformation-template-update-stack.json')
  if (!existsSync(main)) return undefined
  const template = JSON.parse(readFileSync(main, 'utf8'))
  const nested = NESTED_STACKS.filter(({ id }) => Object.hasOwn(template.Resources, id)).map(
    ({ id, file }) => [id, JSON.parse(readFileSync(join(folder, file), 'utf8')).Resources] as const,
  )
  const { parameters } = template.Metadata.Gatehouse
  return { parameters, stacks: [['the main stack', template.Resources], ...nested] }
}

/** What a platform team wants to know of a stage before it says yes, as a page of Markdown. */
export function reportOf(stage: string, packaged: Packaged, findings: readonly Finding[]): string {
  const { parameters, stacks } = packaged
  const given = Object.entries(parameters).map(([name, value]) => [name, textOf(value)])
  const counted = stacks.map(([name, all]) => [name, `${Object.keys(all).length}`, countsOf(Object.values(all))])
  const parts = {
    'What it sets': table(['parameter', 'value'], given),
    Resources: table(['stack', 'resources', 'of these'], counted),
    Rights: rights(stacks),
    'Public surfaces': surfaces(parameters),
    Costs: costs(),
    Alarms: alarms(stacks),
    Checks: table(
      ['result', 'check', 'found'],
      findings.map(({ level, check, message, remedy }) => [level, check, remedy ? `${message}: ${remedy}` : message]),
    ),
    'Not tried on AWS': untried(),
  }
  const sections = Object.entries(parts).map(([title, text]) => `\n## ${title}\n\n${text}\n`)
  return `# The stage ${stage}, Gatehouse ${manifest.version}\n${sections.join('')}`
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The most frequent first. */
function countsOf(resources: readonly TemplateResource[]): string {
  const kinds = [...Map.groupBy(resources, ({ Type }) => Type.replace('AWS::', ''))]
  const sorted = kinds.sort(([, one], [, other]) => other.length - one.length)
  return sorted.map(([type, all]) => `${all.length} ${type}`).join(', ')
}

interface Policy {
  readonly PolicyDocument: { readonly Statement: readonly { Effect: string; Action: string[]; Resource: unknown }[] }
}

/** What roles may, by service; how many of them; and which of it on everything. */
function rights(stacks: Packaged['stacks']): string {
  const found = actionsIn(stacks)
  const listed = (some: typeof found) =>
    [...new Set(some.map(({ action }) => action.replace(/^.*:/, '')))].sort().join(', ') || 'none'
  const rows = [...Map.groupBy(found, ({ action }) => action.replace(/:.*/, ''))].map(([service, all]) => [
    ...[service, listed(all.filter(({ isOnAll }) => !isOnAll)), listed(all.filter(({ isOnAll }) => isOnAll))],
    `${new Set(all.map(({ id }) => id)).size}`,
  ])
  return table(['service', 'on named resources', 'on everything', 'roles'], rows.sort())
}

/** Each action once that a role of what was packaged last may do. @param folder of the packages */
export function rightsIn(folder: string): readonly string[] {
  return [...new Set(actionsIn(packagedIn(folder)?.stacks ?? []).map(({ action }) => action))]
}

function actionsIn(stacks: Packaged['stacks']) {
  const roles = stacks.flatMap(([, all]) => Object.entries(all)).filter(([, { Type }]) => Type === 'AWS::IAM::Role')
  return roles.flatMap(([id, { Properties: { Policies: policies = [] } = {} }]) =>
    (policies as readonly Policy[])
      .flatMap(({ PolicyDocument: { Statement: statements } }) => statements)
      .filter(({ Effect: effect }) => effect === 'Allow')
      .flatMap(({ Action: actions, Resource: on }) =>
        [actions].flat().map((action) => ({ id, action, isOnAll: on === '*' })),
      ),
  )
}

function surfaces(parameters: Packaged['parameters']): string {
  const { edgeEnabled, edgeWebAclArn, adapterEnabled, adapterWebAclArn, domainName } = parameters
  const routes = Object.values<Route>(ROUTES)
  const shown = ({ method, path }: Route) => `\`${method} ${path}\``
  const paths = (wanted: Route['access']) =>
    routes
      .filter(({ access }) => access === wanted)
      .map(shown)
      .join(', ')
  const onEdge = edgeEnabled === 'true'
  const walled = (acl: unknown) => (acl ? `a firewall: ${acl}` : 'no firewall')
  const rows = [
    ['HTTP API', `${routes.length} routes${onEdge ? ', which refuse calls past CloudFront' : ''}`],
    ['public', paths('public')],
    ['open to callers who sign', paths('signature')],
    ['domain', domainName ? String(domainName) : 'that of AWS'],
    ['CloudFront', onEdge ? walled(edgeWebAclArn) : 'none'],
    ['load balancer', adapterEnabled === 'true' ? walled(adapterWebAclArn) : 'none'],
  ]
  return table(['surface', 'who gets there'], rows)
}

/** As in the page, which a test of the costs writes. */
function costs(): string {
  const [, section = ''] = readFileSync(join(ENGINE, 'docs/quality.md'), 'utf8').split(/^## Cost$/m)
  return section.split(/^(?:## |Again: |\*\*Not tested)/m)[0]?.trim() ?? ''
}

function alarms(stacks: Packaged['stacks']): string {
  const found = stacks.flatMap(([, all]) => Object.values(all)).filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm')
  const rows = found.map(({ Properties: { AlarmName: name, AlarmDescription: when, AlarmActions: actions } = {} }) => {
    const isTold = /arn:|"Ref":"(?!AWS::NoValue)/.test(JSON.stringify(actions) ?? '')
    return [String(name), String(when), isTold ? 'its topic' : '–']
  })
  return table(['alarm', 'when', 'notifies'], rows)
}

/** What the pages say of themselves. */
function untried(): string {
  const pages = globSync('docs/*.md', { cwd: ENGINE }).sort()
  const rows = pages.flatMap((page) => {
    const [, text] = /\*\*Not tested:\*\*\s+(.*?)(?:\n\n|$)/s.exec(readFileSync(join(ENGINE, page), 'utf8')) ?? []
    return text ? [[basename(page), text.replaceAll(/\s+/g, ' ').trim()]] : []
  })
  return table(['page', 'not tested'], rows)
}
