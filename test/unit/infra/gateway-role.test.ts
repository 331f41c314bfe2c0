import { describe, expect, it } from 'vitest'
import { withGatewayRole } from '../../../infra/iam/gateway-role.ts'

const arnOf = (name: string) => ({ 'Fn::GetAtt': [`${name}LambdaFunction`, 'Arn'] })

const integrationOf = (uri: unknown) => ({
  Type: 'AWS::ApiGatewayV2::Integration',
  Properties: { IntegrationType: 'AWS_PROXY', IntegrationUri: uri },
})

const permissionFor = (principal: string, name: string) => ({
  Type: 'AWS::Lambda::Permission',
  Properties: { FunctionName: arnOf(name), Action: 'lambda:InvokeFunction', Principal: principal },
})

const ALIAS = { 'Fn::Join': [':', [arnOf('Login'), 'live']] }

const TEMPLATE = {
  Outputs: { Url: { Value: '1' } },
  Resources: {
    HomeLambdaFunction: { Type: 'AWS::Lambda::Function' },
    ScanLambdaFunction: { Type: 'AWS::Lambda::Function' },
    HttpApiIntegrationHome: integrationOf(arnOf('Home')),
    HttpApiIntegrationLogin: integrationOf(ALIAS),
    HomeLambdaPermissionHttpApi: permissionFor('apigateway.amazonaws.com', 'Home'),
    HomeLambdaPermissionEvents: permissionFor('events.amazonaws.com', 'Home'),
    GuardLambdaPermissionHttpApi: permissionFor('apigateway.amazonaws.com', 'Guard'),
  },
}

describe('the role of the HTTP API for its calls of functions', () => {
  const { Resources: resources, ...rest } = withGatewayRole(TEMPLATE)

  it('may call exactly the functions that have an integration, as the integration names them', () => {
    expect(resources['HttpApiRole']?.Properties).toEqual({
      AssumeRolePolicyDocument: {
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Principal: { Service: 'apigateway.amazonaws.com' }, Action: 'sts:AssumeRole' }],
      },
      Policies: [
        {
          PolicyName: 'gateway',
          PolicyDocument: {
            Version: '2012-10-17',
            Statement: [{ Effect: 'Allow', Action: ['lambda:InvokeFunction'], Resource: [arnOf('Home'), ALIAS] }],
          },
        },
      ],
    })
  })

  it('is the role of each integration, which is otherwise unchanged', () => {
    const CredentialsArn = { 'Fn::GetAtt': ['HttpApiRole', 'Arn'] }
    for (const [name, uri] of [
      ['Home', arnOf('Home')],
      ['Login', ALIAS],
    ] as const) {
      const { Type, Properties } = integrationOf(uri)
      expect(resources[`HttpApiIntegration${name}`]).toEqual({ Type, Properties: { ...Properties, CredentialsArn } })
    }
  })

  it('replaces the gateway’s permissions for these functions, and for no others', () => {
    expect(Object.keys(resources).toSorted()).toEqual(
      [...Object.keys(TEMPLATE.Resources), 'HttpApiRole']
        .filter((id) => id !== 'HomeLambdaPermissionHttpApi')
        .toSorted(),
    )
    expect(rest).toEqual({ Outputs: TEMPLATE.Outputs })
  })

  it('does not exist without an integration', () => {
    const template = { Resources: { HomeLambdaFunction: { Type: 'AWS::Lambda::Function' } } }
    expect(withGatewayRole(template)).toEqual(template)
  })
})
