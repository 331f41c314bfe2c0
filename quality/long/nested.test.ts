import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cwd, env } from 'node:process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DESTINATIONS_STACK, deliverFunctionOf, isOfDestinations } from '../../infra/deliver/names.ts'
import { grantsOf } from '../../infra/iam/grants.ts'
import { logicalIdOf } from '../../infra/logical-id.ts'
import { isFunctionRole, isSavedQuery, NESTED_STACKS, QUERIES_STACK, ROLES_STACK } from '../../infra/nested-stacks.ts'
import { destinationsOf } from '../../lib/deliver/configured/destinations.ts'
import { checkedConfig } from '../../lib/deliver/configured/read.ts'
import { copyProject } from '../../test/support/copy-project.ts'
import { runEngine } from '../../test/support/engine-package.ts'
import { temporaryFolder } from '../../test/support/stack.ts'
import { circleIn } from '../../test/support/template/circle.ts'
import { wholeTemplate } from '../../test/support/template/joined.ts'
import { packagedTemplate } from '../../test/support/template/packaged.ts'
import { brokenRules } from '../../test/support/template/rules.ts'
import { createSpecificationCheck } from '../../test/support/template/specification.ts'
import { ofType, referencesIn, type Template } from '../../test/support/template/template.ts'

/** The longest name of a destination. */
const named = (index: number) => `the-longest-name-at-all${String.fromCharCode(97 + index)}`

const DESTINATIONS = Object.fromEntries(
  Array.from({ length: 25 }, (_, index) => [
    named(index),
    { to: 'http', url: 'https://crm.example.com/hooks', from: { '*': ['**'] } } as const,
  ]),
)
// In the order of the files.
const HANDLERS = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ path: `payment/${name}`, on: ['PAYMENT'] }))

/** As many as there may be. */
const ALL = destinationsOf(checkedConfig({ destinations: DESTINATIONS }, 'prod', HANDLERS), 'prod')

const copy = temporaryFolder()
afterAll(() => copy.remove())

let parent: Template
let nested: Readonly<Record<string, Template>>
let one: Template
let base: Template
let misspecified: Awaited<ReturnType<typeof createSpecificationCheck>>

beforeAll(async () => {
  copyProject(cwd(), copy.path)
  const config = `import { defineConfig } from './lib/config.ts'\nexport default defineConfig(${JSON.stringify({ destinations: DESTINATIONS })})\n`
  writeFileSync(join(copy.path, 'gatehouse.config.ts'), config)
  mkdirSync(join(copy.path, 'handlers/payment'), { recursive: true })
  const example = readFileSync('examples/payment/thank-customer.ts', 'utf8')
  for (const { path } of HANDLERS) writeFileSync(join(copy.path, 'handlers', `${path}.ts`), example)
  await runEngine(['package', '--stage', 'prod'], { PATH: env['PATH'], HOME: env['HOME'] }, copy.path)
  parent = packaged('cloudformation-template-update-stack.json')
  nested = Object.fromEntries(NESTED_STACKS.map(({ id, file }) => [id, packaged(file)]))
  one = wholeTemplate(packages('cloudformation-template-update-stack.json'))
  base = await packagedTemplate('prod')
  misspecified = await createSpecificationCheck()
}, 480_000)

function packages(file: string): string {
  return join(copy.path, '.serverless', file)
}

function packaged(file: string): Template {
  return JSON.parse(readFileSync(packages(file), 'utf8'))
}

const idsIn = (template: Template | undefined) => Object.keys(template?.Resources ?? {})

describe('with 25 destinations and 5 handlers', () => {
  // Fixed, and below the 500 resources of CloudFormation: a team may add its own.
  it('the main stack has at most 360 resources, each nested one 380, and all keep the other limits of CloudFormation', () => {
    expect(idsIn(parent).length).toBeLessThanOrEqual(360)
    for (const template of [parent, ...Object.values(nested)]) {
      const { Parameters: parameters = {}, Outputs: outputs = {} } = template
      expect(idsIn(template).length).toBeLessThanOrEqual(380)
      expect(Object.keys(parameters).length).toBeLessThanOrEqual(200)
      expect(Object.keys(outputs).length).toBeLessThanOrEqual(200)
      expect(JSON.stringify(template, null, 2).length).toBeLessThan(1_000_000)
    }
  })

  it('no resources wait for each other in a circle, neither in the main stack nor in a nested one', () => {
    for (const template of [parent, ...Object.values(nested)]) expect(circleIn(template)).toEqual([])
  })

  it('each template matches the specification of AWS, and every reference has a target', () => {
    expect([parent, ...Object.values(nested)].flatMap(misspecified)).toEqual([])
  })

  it.each(NESTED_STACKS.map(({ id }) => id))(
    'the parent passes every parameter of %s, and reads only its outputs',
    (id) => {
      const given = parent.Resources[id]?.Properties['Parameters'] ?? {}
      expect(Object.keys(given).sort()).toEqual(Object.keys(nested[id]?.Parameters ?? {}).sort())
      const asked = referencesIn(parent.Resources).filter(({ name }) => name === id)
      expect(new Set(asked.map(({ attribute }) => attribute))).toEqual(
        new Set(Object.keys(nested[id]?.Outputs ?? {}).map((output) => `Outputs.${output}`)),
      )
    },
  )

  it.each(NESTED_STACKS.map(({ id }) => id))('no parameter of %s depends on a conditional resource', (id) => {
    const names = referencesIn(parent.Resources[id]?.Properties).map(({ name }) => name)
    expect(names.filter((name) => parent.Resources[name]?.Condition !== undefined)).toEqual([])
  })

  it('no resource is lost, duplicated or renamed, and each destination is complete', () => {
    const isMoved = (id: string) => isSavedQuery(id) || isFunctionRole(id)
    const stacks = NESTED_STACKS.map(({ id }) => id)
    expect(idsIn(parent).sort()).toEqual([...idsIn(base).filter((id) => !isMoved(id)), ...stacks].sort())
    expect(idsIn(nested[QUERIES_STACK])).toEqual(idsIn(base).filter(isSavedQuery))
    expect(idsIn(nested[ROLES_STACK]).sort()).toEqual(idsIn(base).filter(isFunctionRole).sort())
    expect(idsIn(base).filter(isOfDestinations)).toEqual([])
    expect(idsIn(nested[DESTINATIONS_STACK]).filter((id) => !isOfDestinations(id))).toEqual([])
    const kinds = ALL.map(({ name }) => {
      const id = logicalIdOf(deliverFunctionOf(name))
      return idsIn(nested[DESTINATIONS_STACK])
        .flatMap((other) => (other.startsWith(id) ? other.replaceAll(id, '') : []))
        .sort()
    })
    expect(kinds).toHaveLength(30)
    expect(kinds[0]).toHaveLength(10)
    expect(new Set(kinds.map(String)).size).toBe(1)
  })

  it('K11 all together break no rule', () => {
    expect(brokenRules(one, grantsOf(ALL))).toEqual([])
  })

  it('the functions of destinations wait for their roles, and their stack waits for their log', () => {
    const stack = nested[DESTINATIONS_STACK] as Template
    for (const { name, DependsOn: others } of ofType(stack, 'AWS::Lambda::Function')) {
      expect(others).toEqual([name.replace(/LambdaFunction$/, 'Role')])
    }
    expect(parent.Resources[DESTINATIONS_STACK]?.DependsOn).toEqual(['JobsLogGroup'])
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
  expect(Object.keys(nested[QUERIES_STACK] ?? {})).toEqual(['AWSTemplateFormatVersion', 'Resources'])
  expect(referencesIn(nested[QUERIES_STACK]?.Resources)).toEqual([])
})
