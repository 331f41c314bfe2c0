import { expect, it } from 'vitest'
import { nest, type StackTemplate } from '../../../../infra/deliver/nested.ts'
import { NESTED_STACKS } from '../../../../infra/deliver/nesting.ts'
import { GATEWAY_ROLE } from '../../../../infra/iam/gateway-role.ts'
import { circleIn } from '../../../support/template/circle.ts'
import type { Template } from '../../../support/template/template.ts'

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
