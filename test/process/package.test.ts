import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { service } from '../support/adapter-service.ts'
import { temporaryFolder } from '../support/stack.ts'

interface Resource {
  readonly Type: string
  readonly Condition?: string
  readonly Properties: Record<string, unknown> & {
    readonly Runtime?: string
    readonly Environment?: { readonly Variables: Readonly<Record<string, unknown>> }
  }
}

const output = temporaryFolder()
let template: { readonly Conditions: unknown; readonly Resources: Readonly<Record<string, Resource>> }
let resources: readonly Resource[]

beforeAll(async () => {
  const args = ['node_modules/serverless/bin/serverless.js', 'package', '--stage', 'prod', '--package', output.path]
  await promisify(execFile)(execPath, args, { env: { ...process.env, CI: 'true' } })
  template = JSON.parse(readFileSync(join(output.path, 'cloudformation-template-update-stack.json'), 'utf8'))
  resources = Object.values(template.Resources)
}, 120_000)

afterAll(() => output.remove())

const ofType = (type: string) => resources.filter(({ Type }) => Type === type)

describe('serverless package --stage prod works offline', () => {
  it('every function runs on nodejs24.x', () => {
    const functions = ofType('AWS::Lambda::Function')
    expect(functions).toHaveLength(36)
    expect(new Set(functions.map(({ Properties }) => Properties.Runtime))).toEqual(new Set(['nodejs24.x']))
  })

  it('tables, queues and topics are in the template', () => {
    const count = (type: string) => ofType(type).length
    expect(count('AWS::DynamoDB::Table')).toBe(7)
    expect(count('AWS::SQS::Queue')).toBe(4)
    expect(count('AWS::SNS::Topic')).toBe(2)
  })

  it('no secret stands in the template: keys and webhook secrets are references', () => {
    for (const { Properties } of ofType('AWS::Lambda::Function')) {
      const { JWT_KEYS, WEBHOOK_SECRETS } = Properties.Environment?.Variables ?? {}
      expect(JWT_KEYS).toMatch(/^\{\{resolve:secretsmanager:gatehouse\/prod:/)
      expect(WEBHOOK_SECRETS).toMatch(/^\{\{resolve:secretsmanager:gatehouse\/prod:/)
    }
  })

  it('no function is told of the demo users', () => {
    for (const { Properties } of ofType('AWS::Lambda::Function')) {
      expect(Properties.Environment?.Variables).not.toHaveProperty('DEMO_USERS')
      expect(Properties.Environment?.Variables).not.toHaveProperty('DEMO_TOKENS')
    }
  })

  it('nothing is routed that only a local run has', () => {
    const routes = ofType('AWS::ApiGatewayV2::Route').map(({ Properties }) => Properties['RouteKey'])
    expect(routes).toContain('POST /webhooks/payment')
    expect(routes.filter((route) => String(route).includes('/local/'))).toEqual([])
  })

  it('the addresses of queue and topic and the base URL are those of the stack', () => {
    for (const { Properties } of ofType('AWS::Lambda::Function')) {
      expect(Properties.Environment?.Variables).toMatchObject({
        STAGE: 'prod',
        RETRY_QUEUE_URL: { Ref: 'RetryQueue' },
        EVENTS_TOPIC_ARN: { Ref: 'EventsTopic' },
        BASE_URL: { 'Fn::Sub': expect.stringContaining('execute-api') },
        EVENTS_TABLE: 'gatehouse-prod-events',
      })
    }
  })

  it('every function has a role of its own, and none is left over', () => {
    const functions = Object.entries(template.Resources).filter(([, { Type }]) => Type === 'AWS::Lambda::Function')
    const given = functions.map(([, { Properties }]) => Properties['Role'])
    const own = functions.map(([name]) => ({ 'Fn::GetAtt': [name.replace(/LambdaFunction$/, 'Role'), 'Arn'] }))
    expect(given).toEqual(own)
    const roles = ofType('AWS::IAM::Role').filter(({ Condition }) => Condition === undefined)
    expect(roles).toHaveLength(functions.length)
  })

  it('the functions of the queues may refuse single messages; a step of a replay comes alone', () => {
    expect(ofType('AWS::Lambda::EventSourceMapping').map(({ Properties }) => Properties)).toMatchObject([
      { BatchSize: 10, FunctionResponseTypes: ['ReportBatchItemFailures'] },
      { BatchSize: 1, FunctionResponseTypes: ['ReportBatchItemFailures'] },
    ])
  })

  it('nothing of the companion container is made unless it is asked for', () => {
    expect(template.Conditions).toEqual({ AdapterEnabled: { 'Fn::Equals': ['false', 'true'] } })
    const adapter = Object.entries(template.Resources).filter(([name]) => name.startsWith('Adapter'))
    expect(adapter.map(([name]) => name)).toEqual(Object.keys(service.Resources))
    expect(new Set(adapter.map(([, { Condition }]) => Condition))).toEqual(new Set(['AdapterEnabled']))
  })

  it('whatever a resource refers to is in the template', () => {
    const missing = referencesIn(template.Resources).filter(
      (name) => !(name.startsWith('AWS::') || Object.hasOwn(template.Resources, name)),
    )
    expect(missing).toEqual([])
  })
})

/** The names that Ref, Fn::GetAtt and Fn::Sub speak of. */
function referencesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, argument]) => REFERENCES[key]?.(argument) ?? referencesIn(argument))
}

const REFERENCES: Readonly<Record<string, (argument: unknown) => readonly string[]>> = {
  Ref: (name) => [String(name)],
  'Fn::GetAtt': (path) => [String([path].flat()[0]).split('.', 1).join()],
  'Fn::Sub': (text) => [...String(text).matchAll(/\$\{(\w[\w:]*)/g)].map(([, name = '']) => name),
}
