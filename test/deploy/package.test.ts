import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { GATEWAY_ROLE } from '../../infra/iam/gateway-role.ts'
import { SECRETS } from '../../lib/runtime/settings/secret-names.ts'
import { service } from '../support/adapter-service.ts'
import { ofType } from '../support/template/template.ts'
import { templateOf } from './packages.ts'

const template = templateOf('prod')

const declared = Object.keys(parse(readFileSync('serverless.yml', 'utf8'), { logLevel: 'silent' }).functions)
  .map((name) => `gatehouse-prod-${name}`)
  .sort()

interface FunctionProperties {
  readonly FunctionName: string
  readonly Handler: string
  readonly Runtime: string
  readonly Environment: { readonly Variables: Readonly<Record<string, unknown>> }
}

const functions = () =>
  ofType(template, 'AWS::Lambda::Function').map(({ Properties }) => Properties as unknown as FunctionProperties)

function environmentOf(name: string): Readonly<Record<string, unknown>> {
  const found = functions().find(({ FunctionName }) => FunctionName === `gatehouse-prod-${name}`)
  return found?.Environment.Variables ?? {}
}

describe('serverless package --stage prod works offline', () => {
  it('every function runs on nodejs24.x', () => {
    expect(
      functions()
        .map(({ FunctionName }) => FunctionName)
        .sort(),
    ).toEqual(declared)
    expect(new Set(functions().map(({ Runtime }) => Runtime))).toEqual(new Set(['nodejs24.x']))
  })

  it('K02 no secret is in an environment, nor is a reference to one: only where they are', () => {
    const names = Object.values(SECRETS).flat()
    for (const { Environment } of functions()) {
      expect(names.filter((name) => Object.hasOwn(Environment.Variables, name))).toEqual([])
    }
    expect(environmentOf('authLogin')['SECRETS_PREFIX']).toBe('gatehouse/prod')
    expect(JSON.stringify(template)).not.toContain('{{resolve:')
  })

  it.each([
    ['publicHello', ['BASE_URL', 'NODE_OPTIONS', 'SERVICE_NAME', 'STAGE']],
    ['fallback', ['BASE_URL', 'NODE_OPTIONS', 'SERVICE_NAME', 'STAGE']],
  ])('the environment of %s contains only %j', (name, settings) => {
    expect(Object.keys(environmentOf(name)).sort()).toEqual(settings)
  })

  it('C07 no function has the settings of demo users or a setting without a value', () => {
    for (const { Environment } of functions()) {
      expect(Environment.Variables).not.toHaveProperty('DEMO_USERS')
      expect(Environment.Variables).not.toHaveProperty('DEMO_TOKENS')
      expect(Object.values(Environment.Variables)).not.toContain('')
    }
  })

  it('P12 routes of the local run are not deployed', () => {
    const routes = ofType(template, 'AWS::ApiGatewayV2::Route').map(({ Properties }) => Properties['RouteKey'])
    expect(routes).toContain('POST /webhooks/payment')
    expect(routes.filter((route) => String(route).includes('/local/'))).toEqual([])
  })

  it('the address of the queue, the names of the tables and the base URL are those of the stack', () => {
    expect(environmentOf('webhookPayment')).toMatchObject({
      STAGE: 'prod',
      RETRY_QUEUE_URL: { Ref: 'RetryQueue' },
      BASE_URL: { 'Fn::Sub': expect.stringContaining('execute-api') },
      EVENTS_TABLE: 'gatehouse-prod-events',
      MESSAGES_TABLE: 'gatehouse-prod-messages',
    })
  })

  it('the only roles are those of the functions, of the gateway and of the container', () => {
    const roles = ofType(template, 'AWS::IAM::Role').filter(({ name }) => !name.startsWith('Adapter'))
    const own = ofType(template, 'AWS::Lambda::Function').map(({ name }) => name.replace(/LambdaFunction$/, 'Role'))
    expect(roles.map(({ name }) => name).sort()).toEqual([...own, GATEWAY_ROLE].sort())
  })

  it('functions with queues may reject single messages; a step of a replay is received alone', () => {
    expect(ofType(template, 'AWS::Lambda::EventSourceMapping').map(({ Properties }) => Properties)).toMatchObject([
      { BatchSize: 10, FunctionResponseTypes: ['ReportBatchItemFailures'], ScalingConfig: { MaximumConcurrency: 10 } },
      { BatchSize: 1, FunctionResponseTypes: ['ReportBatchItemFailures'], ScalingConfig: { MaximumConcurrency: 2 } },
    ])
  })

  it('the resources of the companion container are created only on request', () => {
    expect(template.Conditions).toMatchObject({ AdapterEnabled: { 'Fn::Equals': ['false', 'true'] } })
    const adapter = Object.entries(template.Resources).filter(([name]) => name.startsWith('Adapter'))
    expect(adapter.map(([name]) => name)).toEqual(
      expect.arrayContaining(Object.keys(service.Resources).filter((name) => name.startsWith('Adapter'))),
    )
    expect(new Set(adapter.map(([, { Condition }]) => Condition))).toEqual(new Set(['AdapterEnabled']))
  })

  it.each([
    ['ApiDomain', 'DomainOnApi'],
    ['ApiDomainMapping', 'DomainOnApi'],
    ['ApiRecord', 'RecordToApi'],
    ['EdgeDistribution', 'EdgeEnabled'],
    ['EdgeRecord', 'RecordToEdge'],
  ])('%s is created only under %s', (name, condition) => {
    expect(template.Resources[name]?.Condition).toBe(condition)
  })
})
