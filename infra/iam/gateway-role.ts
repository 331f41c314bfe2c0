import { isDeepStrictEqual } from 'node:util'
import type { StackTemplate, TemplateResource } from '../deliver/nested.ts'

/** The logical id of the role with which the HTTP API calls functions. */
export const GATEWAY_ROLE = 'HttpApiRole'

const GATEWAY = 'apigateway.amazonaws.com'

type Entry = readonly [id: string, resource: TemplateResource]

/**
 * The template with one role with which the HTTP API calls its functions, in place of a permission at each of them: a stack may
 * have 500 resources.
 */
export function withGatewayRole(template: StackTemplate): StackTemplate {
  const all = Object.entries(template.Resources)
  const called = all
    .filter(([, resource]) => isIntegration(resource))
    .map(([, { Properties }]) => Properties?.['IntegrationUri'])
  if (called.length === 0) return template
  const kept = all.filter(([, resource]) => !isPermission(resource, called)).map(calledWithRole)
  return { ...template, Resources: { ...Object.fromEntries(kept), [GATEWAY_ROLE]: roleCalling(called) } }
}

function isIntegration({ Type: type }: TemplateResource): boolean {
  return type === 'AWS::ApiGatewayV2::Integration'
}

/** Whether it lets the gateway call a function that the role may call. */
function isPermission({ Type: type, Properties = {} }: TemplateResource, called: readonly unknown[]): boolean {
  const { Principal: principal, FunctionName: name } = Properties
  const isGateways = type === 'AWS::Lambda::Permission' && principal === GATEWAY
  return isGateways && called.some((one) => isDeepStrictEqual(one, name))
}

function calledWithRole([id, resource]: Entry): Entry {
  if (!isIntegration(resource)) return [id, resource]
  const credentials = { CredentialsArn: { 'Fn::GetAtt': [GATEWAY_ROLE, 'Arn'] } }
  return [id, { ...resource, Properties: { ...resource.Properties, ...credentials } }]
}

/**
 * No condition narrows down who assumes it: AWS documents none that holds for the role of an integration
 * (docs/decisions/0014-roles.md). Nobody can pass a role to another account's gateway (IAM user guide, "Grant a user permissions
 * to pass a role to an AWS service").
 */
function roleCalling(called: readonly unknown[]): TemplateResource {
  return {
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: {
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Principal: { Service: GATEWAY }, Action: 'sts:AssumeRole' }],
      },
      Policies: [
        {
          PolicyName: 'gateway',
          PolicyDocument: {
            Version: '2012-10-17',
            Statement: [{ Effect: 'Allow', Action: ['lambda:InvokeFunction'], Resource: called }],
          },
        },
      ],
    },
  }
}
