import { createHash } from 'node:crypto'
import { type StackTemplate, type TemplateResource, withReferences } from './deliver/nested.ts'
import { GATEWAY_ROLE } from './iam/gateway-role.ts'
import { isOfDestinations } from './names.ts'

/** The folders of functions whose calls move to a new version step by step. */
const FOLDERS = ['login', 'webhooks']

/** The deployment of a stage that moves all calls at once, and is stopped by no alarm. */
const AT_ONCE = 'all-at-once'

/** What a stage may choose: that one, or a configuration of CodeDeploy without `CodeDeployDefault.Lambda` before it. */
export const DEPLOYMENT =
  /^(?:all-at-once|canary10Percent(?:5|10|15|30)Minutes|linear10PercentEvery(?:1Minute|(?:2|3|10)Minutes))$/

/** What the HTTP API calls in place of a function. */
const ALIAS = 'live'

/** What a version does not keep of its function, and so makes no new one. */
const NOT_VERSIONED = ['Code', 'FunctionName', 'RecursiveLoop', 'ReservedConcurrentExecutions', 'Tags']

/** The logical id of the nested stack. */
export const SHIFT_STACK = 'ShiftStack'

/** Whether a resource, by its logical id, is one of that stack. */
export function isOfShift(id: string): boolean {
  return /^Shifted[A-Z]/.test(id)
}

type Entry = readonly [id: string, resource: TemplateResource]

/**
 * The template with a version and an alias for each function of these folders, which the HTTP API calls, and what CodeDeploy needs to
 * move their calls. Other functions of the main stack change when all calls have moved.
 * @param deployment one of {@link DEPLOYMENT}
 * @param digestOf the SHA-256 of a package, in Base64; the packages of a deployment have new places
 * @param unwritten the settings of functions that no template holds
 */
export function withShift(
  template: StackTemplate,
  deployment: string,
  digestOf: (key: string) => string,
  unwritten = '',
): StackTemplate {
  const all = Object.entries(template.Resources)
  const shifted = all.filter(([, resource]) => isShifted(resource))
  const aliases = new Map(shifted.map(([id]) => [`${id}.Arn`, `${wordOf(id)}Alias`]))
  const [awaited = ''] = aliases.values()
  const changed = all.map(([id, resource]): Entry => {
    if (resource.Type === 'AWS::ApiGatewayV2::Integration' || id === GATEWAY_ROLE)
      return [id, withReferences(resource, (path) => aliases.get(path) ?? path)]
    const isOther = resource.Type === FUNCTION && !isShifted(resource) && !isOfDestinations(id)
    return [id, isOther ? { ...resource, DependsOn: [resource.DependsOn ?? [], awaited].flat() } : resource]
  })
  const added = [
    ...shifted.flatMap((one) => versionOf(one, deployment, digestOf, unwritten)),
    [
      'ShiftedApplication',
      { Type: 'AWS::CodeDeploy::Application', Properties: { ComputePlatform: 'Lambda' } },
    ] as const,
    ['ShiftedErrorsAlarm', errorsAlarm(shifted, template)] as const,
    ['ShiftedDeployer', deployer(shifted.map(([id]) => id))] as const,
  ]
  return { ...template, Resources: Object.fromEntries([...changed, ...added]) }
}

const FUNCTION = 'AWS::Lambda::Function'

function isShifted({ Type: type, Properties: properties }: TemplateResource): boolean {
  const [, folder = ''] = String(properties?.['Handler']).split('/')
  return type === FUNCTION && FOLDERS.includes(folder)
}

function wordOf(functionId: string): string {
  return `Shifted${functionId.replace(/LambdaFunction$/, '')}`
}

/** Its own group for each: a group has one deployment at a time (CodeDeploy user guide, "Quotas"). */
function versionOf(
  [id, { Properties: properties = {} }]: Entry,
  deployment: string,
  digestOf: (key: string) => string,
  unwritten: string,
): readonly Entry[] {
  const kept = Object.entries(properties).filter(([name]) => !NOT_VERSIONED.includes(name))
  const CodeSha256 = digestOf(String((properties['Code'] as { readonly S3Key: string }).S3Key))
  // A version never changes; CloudFormation makes another one under another id.
  const hash = createHash('sha256')
    .update(JSON.stringify([kept, CodeSha256, unwritten]))
    .digest('hex')
    .slice(0, 16)
  const [word, FunctionName] = [wordOf(id), { Ref: id }]
  const version = `${word}Version${hash}`
  const ApplicationName = { Ref: 'ShiftedApplication' }
  const configuration = deployment === AT_ONCE ? 'AllAtOnce' : deployment[0]?.toUpperCase() + deployment.slice(1)
  return [
    [version, { Type: 'AWS::Lambda::Version', Properties: { FunctionName, CodeSha256 } }],
    [
      `${word}Alias`,
      {
        Type: 'AWS::Lambda::Alias',
        Properties: { FunctionName, FunctionVersion: { 'Fn::GetAtt': [version, 'Version'] }, Name: ALIAS },
        UpdatePolicy: {
          CodeDeployLambdaAliasUpdate: { ApplicationName, DeploymentGroupName: { Ref: `${word}Group` } },
        },
      },
    ],
    [
      `${word}Group`,
      {
        Type: 'AWS::CodeDeploy::DeploymentGroup',
        Properties: {
          ApplicationName,
          ServiceRoleArn: { 'Fn::GetAtt': ['ShiftedDeployer', 'Arn'] },
          DeploymentConfigName: `CodeDeployDefault.Lambda${configuration}`,
          DeploymentStyle: { DeploymentType: 'BLUE_GREEN', DeploymentOption: 'WITH_TRAFFIC_CONTROL' },
          AlarmConfiguration: { Enabled: deployment !== AT_ONCE, Alarms: ALARMS.map((Ref) => ({ Name: { Ref } })) },
          AutoRollbackConfiguration: {
            Enabled: true,
            Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM', 'DEPLOYMENT_STOP_ON_REQUEST'],
          },
        },
      },
    ],
  ]
}

/** What fails without an answer, and what is answered with a 5xx. */
const ALARMS = ['ShiftedErrorsAlarm', 'ServerErrorsAlarm']

/** An alarm takes ten metrics, and these aliases have more: a query sums them up. It tells whom its model tells. */
function errorsAlarm(shifted: readonly Entry[], { Resources: resources }: StackTemplate): TemplateResource {
  const { Properties: model = {} } = resources['TablesThrottledAlarm'] ?? {}
  const names = shifted.map(([, { Properties }]) => `Resource = '${Properties?.['FunctionName']}:${ALIAS}'`)
  const Expression = `SELECT SUM(Errors) FROM SCHEMA("AWS/Lambda", FunctionName, Resource) WHERE ${names.join(' OR ')}`
  const Properties = {
    ...model,
    AlarmName: String(model['AlarmName']).replace('tables-throttled', 'shift-errors'),
    AlarmDescription: 'A function ended without an answer, docs/runbook.md#shift-errors',
    Metrics: [{ Id: 'errors', Expression, Period: 60 }],
  }
  return { Type: 'AWS::CloudWatch::Alarm', Properties }
}

/** As AWSCodeDeployRoleForLambdaLimited, for these functions. */
function deployer(functions: readonly string[]): TemplateResource {
  const Resource = functions.flatMap((id) => [{ 'Fn::GetAtt': [id, 'Arn'] }, { 'Fn::Sub': `\${${id}.Arn}:${ALIAS}` }])
  const Action = ['lambda:GetAlias', 'lambda:GetProvisionedConcurrencyConfig', 'lambda:UpdateAlias']
  const Statement = [
    { Effect: 'Allow', Action, Resource },
    { Effect: 'Allow', Action: ['cloudwatch:DescribeAlarms'], Resource: '*' },
  ]
  const trusted = { Effect: 'Allow', Principal: { Service: 'codedeploy.amazonaws.com' }, Action: 'sts:AssumeRole' }
  return {
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: { Version: '2012-10-17', Statement: [trusted] },
      Policies: [{ PolicyName: 'shift', PolicyDocument: { Version: '2012-10-17', Statement } }],
    },
  }
}
