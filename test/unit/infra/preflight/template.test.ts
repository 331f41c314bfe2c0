import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { checkTemplate } from '../../../../infra/preflight/template.ts'
import { temporaryFolder } from '../../../support/stack.ts'

const NEXT = { parameters: { data: 'kept' }, destinations: [] }

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

function write(name: string, template: object): void {
  writeFileSync(join(folder.path, `cloudformation-template-${name}.json`), JSON.stringify(template))
}

const typesOf = () => [...checkTemplate(NEXT, 'package it', folder.path).types].sort()

it.each([
  [{ 'Fn::Equals': ['a', 'a'] }, true],
  [{ 'Fn::Equals': ['a', 'b'] }, false],
  [{ 'Fn::Not': [{ Condition: 'No' }] }, true],
  [{ 'Fn::And': [{ Condition: 'Yes' }, { Condition: 'No' }] }, false],
  [{ 'Fn::And': [{ Condition: 'Yes' }, { 'Fn::Not': [{ Condition: 'No' }] }] }, true],
  [{ 'Fn::Or': [{ Condition: 'Yes' }, { Condition: 'No' }] }, true],
  [{ 'Fn::Or': [{ Condition: 'No' }, { Condition: 'No' }] }, false],
])('a resource under %j is created: %s', (condition, isMade) => {
  write('update-stack', {
    Metadata: { Gatehouse: NEXT },
    Conditions: { Yes: { 'Fn::Equals': ['', ''] }, No: { 'Fn::Equals': ['', 'x'] }, It: condition },
    Resources: { Service: { Type: 'AWS::ECS::Service', Condition: 'It' } },
  })
  expect(typesOf()).toEqual(isMade ? ['AWS::ECS::Service'] : [])
})

it('the resources of nested stacks are created as well, and so is a function in a network', () => {
  const Resources = { DestinationsStack: { Type: 'AWS::CloudFormation::Stack' } }
  write('update-stack', { Metadata: { Gatehouse: NEXT }, Resources })
  const [Deliver, Wait] = [
    { Type: 'AWS::Lambda::Function', Properties: { VpcConfig: {} } },
    { Type: 'AWS::SQS::Queue' },
  ]
  write('destinations', { Resources: { Deliver, Wait } })
  write('roles', { Resources: { HomeRole: { Type: 'AWS::IAM::Role' } } })
  expect(typesOf()).toEqual([
    'AWS::CloudFormation::Stack',
    'AWS::IAM::Role',
    'AWS::Lambda::Function',
    'AWS::Lambda::Function.VpcConfig',
    'AWS::SQS::Queue',
  ])
})
