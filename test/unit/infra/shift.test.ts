import { describe, expect, it } from 'vitest'
import { DEPLOYMENT, withShift } from '../../../infra/shift.ts'

const ARN = { 'Fn::GetAtt': ['WebhookLambdaFunction', 'Arn'] }

const templateOf = (folder: string, more: object = {}, variables: object = {}) => ({
  Resources: {
    WebhookLambdaFunction: {
      Type: 'AWS::Lambda::Function',
      Properties: {
        FunctionName: 'gatehouse-prod-webhook',
        Handler: 'dist/webhooks/one/index.handler',
        Code: { S3Key: `${folder}/webhook.zip` },
        Environment: { Variables: variables },
        ...more,
      },
    },
    ScanLambdaFunction: {
      Type: 'AWS::Lambda::Function',
      DependsOn: 'JobsLogGroup',
      Properties: { Handler: 'dist/jobs/scan/index.handler' },
    },
    DeliverLambdaFunction: {
      Type: 'AWS::Lambda::Function',
      Properties: { Handler: 'dist/jobs/deliver/index.handler' },
    },
    HttpApiIntegrationWebhook: { Type: 'AWS::ApiGatewayV2::Integration', Properties: { IntegrationUri: ARN } },
    HttpApiRole: {
      Type: 'AWS::IAM::Role',
      Properties: { Policies: [ARN, { 'Fn::GetAtt': ['ScanLambdaFunction', 'Arn'] }] },
    },
    TablesThrottledAlarm: {
      Type: 'AWS::CloudWatch::Alarm',
      Properties: { AlarmName: 'gatehouse-prod-tables-throttled', AlarmActions: ['topic'] },
    },
  },
})

const shift = (template: Parameters<typeof withShift>[0], deployment = 'canary10Percent5Minutes', digest = 'one') =>
  withShift(template, deployment, () => digest).Resources

const withSecret = (secret: string) => withShift(templateOf('1'), 'all-at-once', () => 'one', secret).Resources

const versionsIn = (resources: ReturnType<typeof shift>) =>
  Object.keys(resources).filter((id) => resources[id]?.Type === 'AWS::Lambda::Version')

describe('the calls of a function of the intake', () => {
  const all = shift(templateOf('1'))

  it('go to its alias, which only CodeDeploy moves to another version', () => {
    expect(all['HttpApiIntegrationWebhook']?.Properties).toEqual({ IntegrationUri: { Ref: 'ShiftedWebhookAlias' } })
    expect(all['HttpApiRole']?.Properties?.['Policies']).toEqual([
      { Ref: 'ShiftedWebhookAlias' },
      { 'Fn::GetAtt': ['ScanLambdaFunction', 'Arn'] },
    ])
    expect(all['ShiftedWebhookAlias']?.UpdatePolicy).toEqual({
      CodeDeployLambdaAliasUpdate: {
        ApplicationName: { Ref: 'ShiftedApplication' },
        DeploymentGroupName: { Ref: 'ShiftedWebhookGroup' },
      },
    })
  })

  it('all have moved before another function changes, except those of destinations, which others need', () => {
    expect(all['ScanLambdaFunction']?.DependsOn).toEqual(['JobsLogGroup', 'ShiftedWebhookAlias'])
    expect(all['DeliverLambdaFunction']?.DependsOn).toBeUndefined()
  })

  it('are watched by an alarm of the aliases, which tells whom the others tell', () => {
    const { AlarmName, AlarmActions, Metrics } = { ...all['ShiftedErrorsAlarm']?.Properties } as Record<string, unknown>
    expect([AlarmName, AlarmActions]).toEqual(['gatehouse-prod-shift-errors', ['topic']])
    expect(JSON.stringify(Metrics)).toContain(`WHERE Resource = 'gatehouse-prod-webhook:live'`)
  })

  it.each([
    ['canary10Percent5Minutes', 'CodeDeployDefault.LambdaCanary10Percent5Minutes', true],
    ['linear10PercentEvery1Minute', 'CodeDeployDefault.LambdaLinear10PercentEvery1Minute', true],
    ['all-at-once', 'CodeDeployDefault.LambdaAllAtOnce', false],
  ])('move by %s as %s, and an alarm stops that: %j', (deployment, DeploymentConfigName, Enabled) => {
    expect(shift(templateOf('1'), deployment)['ShiftedWebhookGroup']?.Properties).toMatchObject({
      DeploymentConfigName,
      AlarmConfiguration: {
        Enabled,
        Alarms: [{ Name: { Ref: 'ShiftedErrorsAlarm' } }, { Name: { Ref: 'ServerErrorsAlarm' } }],
      },
    })
  })
})

describe('a version', () => {
  const [version] = versionsIn(shift(templateOf('1')))

  // Lambda publishes none where code and configuration are those of the last one, and CloudFormation fails.
  it.each([
    ['the place of its package', templateOf('2')],
    ['tags', templateOf('1', { Tags: [{ Key: 'a', Value: 'b' }] })],
    ['what does not belong to a version', templateOf('1', { ReservedConcurrentExecutions: 5, RecursiveLoop: 'Allow' })],
  ])('is the same with another value for %s', (_, template) => {
    expect(versionsIn(shift(template))).toEqual([version])
  })

  it.each([
    ['code', shift(templateOf('1'), undefined, 'two')],
    ['memory', shift(templateOf('1', { MemorySize: 1024 }))],
    ['settings', shift(templateOf('1', {}, { A: 'b' }))],
    ['secrets of the edge, which are in no template', withSecret('other')],
  ])('is another one with other %s', (_, resources) => {
    expect(versionsIn(resources)).not.toEqual([version])
  })
})

// AWS CodeDeploy user guide, "Predefined deployment configurations for an AWS Lambda compute platform".
it.each([
  'Canary10Percent5Minutes',
  'canary10Percent1Minutes',
  'linear10PercentEvery1Minutes',
  'linear20PercentEvery1Minute',
  'at once',
  'AllAtOnce',
])('a stage cannot choose %s', (deployment) => {
  expect(deployment).not.toMatch(DEPLOYMENT)
})
