// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the references of CloudFormation stand here as text
import { expect, it } from 'vitest'
import { nest, type StackTemplate } from '../../../../infra/deliver/nested.ts'
import { GATEWAY_ROLE } from '../../../../infra/iam/gateway-role.ts'
import { NESTED_STACKS } from '../../../../infra/nested-stacks.ts'
import { circleIn } from '../../../support/template/circle.ts'
import type { Template } from '../../../support/template/template.ts'

const of = (...references: readonly object[]) => ({ Type: 'AWS::SQS::Queue', Properties: { references } })

it.each<[string, object, readonly string[]]>([
  ['Ref', { Ref: 'A' }, ['A', 'B', 'A']],
  ['Fn::GetAtt', { 'Fn::GetAtt': ['A', 'Arn'] }, ['A', 'B', 'A']],
  ['a name in Fn::Sub', { 'Fn::Sub': 'x-${A.Arn}' }, ['A', 'B', 'A']],
  ['no reference to a parameter', { Ref: 'AWS::Region' }, []],
  ['no name that Fn::Sub itself explains', { 'Fn::Sub': ['${A}', { A: 'x' }] }, []],
])('a circle of resources is found by %s', (_, reference, circle) => {
  expect(circleIn({ Resources: { C: of({ Ref: 'A' }), A: of({ Ref: 'B' }), B: of(reference) } })).toEqual(circle)
})

it('a circle of resources is found by DependsOn, and a resource that two wait for is none', () => {
  const A = { ...of(), DependsOn: 'B' }
  expect(circleIn({ Resources: { A, B: { ...of(), DependsOn: ['C', 'A'] }, C: of() } })).toEqual(['A', 'B', 'A'])
  expect(circleIn({ Resources: { A, B: of({ Ref: 'C' }), C: of(), D: of({ Ref: 'C' }, { Ref: 'A' }) } })).toEqual([])
})

const role = (...Resource: readonly object[]) => ({ Type: 'AWS::IAM::Role', Properties: { Resource } })

const FUNCTIONS: StackTemplate = {
  Resources: {
    HomeLambdaFunction: { Type: 'AWS::Lambda::Function', Properties: { Role: { 'Fn::GetAtt': ['HomeRole', 'Arn'] } } },
    HomeRole: role(),
    [GATEWAY_ROLE]: role({ 'Fn::GetAtt': ['HomeLambdaFunction', 'Arn'] }),
  },
}

function nestedBy(holds: (id: string) => boolean): Template {
  return nest(FUNCTIONS, { id: 'RolesStack', urlOf: () => 'https://…', holds }).parent as Template
}

it('the roles of functions in a nested stack wait for none of these functions; with that of the HTTP API they would', () => {
  const held = NESTED_STACKS.find(({ id }) => id === 'RolesStack')?.holds ?? (() => false)
  expect(Object.keys(FUNCTIONS.Resources).filter(held)).toEqual(['HomeRole'])
  expect(circleIn(nestedBy(held))).toEqual([])
  expect(circleIn(nestedBy((id) => id.endsWith('Role')))).toEqual([
    'HomeLambdaFunction',
    'RolesStack',
    'HomeLambdaFunction',
  ])
})
