import { listOf } from '../../lib/runtime/config.ts'
import { logicalIdOf } from '../names.ts'
import type { StageValues } from '../stages.ts'

/** The part of the deployment engine with the functions, their settings narrowed, and their roles. */
export interface NetworkEngine {
  readonly service: {
    readonly resources: { readonly Resources: Record<string, unknown> }
    readonly functions: Readonly<Record<string, NetworkFunction>>
  }
}

interface NetworkFunction {
  readonly name: string
  readonly environment?: Readonly<Record<string, unknown>>
  vpc?: object
}

/** As roleOf makes it. */
interface Role {
  readonly Properties: { readonly Policies: object[] }
}

/** Lambda developer guide, "Giving Lambda functions access to resources in an Amazon VPC", Required IAM permissions. */
const ACTIONS = [
  'ec2:AssignPrivateIpAddresses',
  'ec2:CreateNetworkInterface',
  'ec2:DeleteNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:UnassignPrivateIpAddresses',
]

/**
 * Puts the functions that ask the directory into its network, and gives those of any network the rights that it needs. The
 * others, the intake of webhooks among them, stay outside.
 */
export function joinNetwork({ service }: NetworkEngine, parameters: StageValues): void {
  const subnetIds = listOf(String(parameters['directorySubnetIds'] ?? ''))
  const securityGroupIds = listOf(String(parameters['directorySecurityGroupIds'] ?? ''))
  for (const [key, declared] of Object.entries(service.functions)) {
    const asksDirectory = Object.hasOwn(declared.environment ?? {}, 'LDAP_URL')
    if (asksDirectory && subnetIds.length > 0) declared.vpc = { subnetIds, securityGroupIds }
    if (!declared.vpc) continue
    const role = service.resources.Resources[`${logicalIdOf(key)}Role`] as Role
    role.Properties.Policies.push(networkPolicy(declared.name))
  }
}

/**
 * Lambda attaches a function to its network in the name of the function's role; the code of the function may not (same page,
 * "Restrict network interface actions").
 */
export function networkPolicy(functionName: string) {
  const own = { 'Fn::Sub': `arn:\${AWS::Partition}:lambda:\${AWS::Region}:\${AWS::AccountId}:function:${functionName}` }
  return {
    PolicyName: 'network',
    PolicyDocument: {
      Version: '2012-10-17',
      Statement: [
        { Effect: 'Allow', Action: ACTIONS, Resource: '*' },
        {
          Effect: 'Deny',
          Action: ACTIONS,
          Resource: '*',
          Condition: { ArnEquals: { 'lambda:SourceFunctionArn': [own] } },
        },
      ],
    },
  }
}
