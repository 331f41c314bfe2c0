import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cwd, env } from 'node:process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DESTINATIONS_STACK, isOfDestinations } from '../../infra/deliver/names.ts'
import { grantsOf } from '../../infra/iam/grants.ts'
import { isSavedQuery, QUERIES_STACK } from '../../infra/nested-stacks.ts'
import { copyProject } from '../../test/support/copy-project.ts'
import { destinationsIn } from '../../test/support/destinations.ts'
import { runEngine } from '../../test/support/engine-package.ts'
import { temporaryFolder } from '../../test/support/stack.ts'
import { joined } from '../../test/support/template/joined.ts'
import { packagedTemplate } from '../../test/support/template/packaged.ts'
import { brokenRules } from '../../test/support/template/rules.ts'
import { createSpecificationCheck } from '../../test/support/template/specification.ts'
import { ofType, referencesIn, type Template } from '../../test/support/template/template.ts'

/** As many as there may be, of which each has all that one can have, under the longest names. */
const DESTINATIONS = Object.fromEntries(
  Array.from({ length: 25 }, (_, index) => {
    const name = `the-longest-name-at-all${String.fromCharCode(97 + index)}`
    return [name, { to: 'http', url: 'https://crm.example.com/hooks', from: { '*': ['**'] } } as const]
  }),
)

const copy = temporaryFolder()
afterAll(() => copy.remove())

let parent: Template
let nested: Template
let queries: Template
let one: Template
let base: Template
let misspecified: Awaited<ReturnType<typeof createSpecificationCheck>>

beforeAll(async () => {
  copyProject(cwd(), copy.path)
  const config = `import { defineConfig } from './lib/config.ts'\nexport default defineConfig(${JSON.stringify({ destinations: DESTINATIONS })})\n`
  writeFileSync(join(copy.path, 'gatehouse.config.ts'), config)
  await runEngine(['package', '--stage', 'prod'], { PATH: env['PATH'], HOME: env['HOME'] }, copy.path)
  parent = packaged('cloudformation-template-update-stack.json')
  nested = packaged('cloudformation-template-destinations.json')
  queries = packaged('cloudformation-template-queries.json')
  one = joined(joined(parent, DESTINATIONS_STACK, nested), QUERIES_STACK, queries)
  base = await packagedTemplate('prod')
  misspecified = await createSpecificationCheck()
}, 480_000)

function packaged(file: string): Template {
  return JSON.parse(readFileSync(join(copy.path, '.serverless', file), 'utf8'))
}

const idsIn = ({ Resources: resources }: Template) => Object.keys(resources)

const templates = () => [parent, nested, queries] as const

describe('with 25 destinations', () => {
  it('each template is within the limits of CloudFormation, with room for more', () => {
    expect(idsIn(parent).length).toBeLessThanOrEqual(Math.max(380, idsIn(base).length + 1))
    expect(idsIn(nested).length).toBeLessThanOrEqual(380)
    for (const template of templates()) {
      const { Parameters: parameters = {}, Outputs: outputs = {} } = template
      expect(Object.keys(parameters).length).toBeLessThanOrEqual(200)
      expect(Object.keys(outputs).length).toBeLessThanOrEqual(200)
      expect(JSON.stringify(template, null, 2).length).toBeLessThan(1_000_000)
    }
  })

  it('each template matches the specification of AWS, and every reference has a target', () => {
    expect(templates().flatMap(misspecified)).toEqual([])
  })

  it('the parent passes every parameter, and reads only outputs that exist', () => {
    const given = parent.Resources[DESTINATIONS_STACK]?.Properties['Parameters'] ?? {}
    expect(Object.keys(given).sort()).toEqual(Object.keys(nested.Parameters ?? {}).sort())
    const asked = referencesIn(parent.Resources).filter(({ name }) => name === DESTINATIONS_STACK)
    expect(new Set(asked.map(({ attribute }) => attribute))).toEqual(
      new Set(Object.keys(nested.Outputs ?? {}).map((output) => `Outputs.${output}`)),
    )
  })

  it('no parameter of the nested stack depends on the nested stack or on a conditional resource', () => {
    const before = namesBehind(DESTINATIONS_STACK)
    expect(before).not.toContain(DESTINATIONS_STACK)
    expect(before.filter((name) => parent.Resources[name]?.Condition !== undefined)).toEqual([])
  })

  it('no resource is lost, duplicated or renamed, and each destination is complete', () => {
    const others = idsIn(base).filter((id) => !isSavedQuery(id))
    expect(idsIn(parent).sort()).toEqual([...others, DESTINATIONS_STACK, QUERIES_STACK].sort())
    expect(idsIn(queries)).toEqual(idsIn(base).filter(isSavedQuery))
    expect(idsIn(base).filter(isOfDestinations)).toEqual([])
    expect(idsIn(nested).filter((id) => !isOfDestinations(id))).toEqual([])
    const kinds = Object.keys(DESTINATIONS).map((name) => {
      const id = `DeliverTheLongestNameAtAll${name.slice(-1)}`
      return idsIn(nested)
        .flatMap((other) => (other.startsWith(id) ? other.replaceAll(id, '') : []))
        .sort()
    })
    expect(kinds[0]).toHaveLength(11)
    expect(new Set(kinds.map(String)).size).toBe(1)
  })

  it('K11 both together break no rule', () => {
    expect(brokenRules(one, grantsOf(destinationsIn(DESTINATIONS)))).toEqual([])
  })

  it('each function depends on its log and its role in its own stack', () => {
    for (const { name, DependsOn: others } of ofType(nested, 'AWS::Lambda::Function')) {
      const id = name.replace(/LambdaFunction$/, '')
      expect(others).toEqual([`${id}LogGroup`, `${id}Role`])
    }
  })

  // IAM user guide, "IAM and AWS STS quotas".
  it('no policy of a role is larger than the limit of IAM, 10,240 characters', () => {
    const longest = ofType(one, 'AWS::IAM::Role').map(({ Properties }) => resolvedLength(Properties['Policies'] ?? []))
    expect(Math.max(...longest)).toBeLessThan(10_240)
  })

  function resolvedLength(policies: unknown): number {
    return JSON.stringify(policies, (_, value) =>
      typeof value === 'object' && value !== null && ('Fn::GetAtt' in value || 'Ref' in value) ? LONG_ARN : value,
    ).length
  }

  const LONG_ARN = `arn:aws-us-gov:dynamodb:us-gov-west-1:123456789012:table/gatehouse-${'x'.repeat(60)}`
})

it('saved queries need nothing of their parent, and give it nothing', () => {
  expect(Object.keys(queries)).toEqual(['AWSTemplateFormatVersion', 'Resources'])
  expect(referencesIn(queries.Resources)).toEqual([])
})

/** The resources of the parent that one of them refers to or waits for, and those behind these. */
function namesBehind(id: string): readonly string[] {
  const found = new Set<string>()
  const open = [id]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { DependsOn: awaited = [], Properties: properties } = parent.Resources[next] ?? {}
    const names = [...referencesIn(properties).map(({ name }) => name), ...[awaited].flat()]
    open.push(...names.filter((name) => !found.has(name)))
    for (const name of names) found.add(name)
  }
  return [...found]
}
