import { NESTED_STACKS } from '../deliver/nesting.ts'

/** A right that the deployer needs, so that CloudFormation can create, change and delete resources. */
export interface DeployRight {
  /** The types of CloudFormation resources that need it; `*` if every deployment does. */
  readonly makes: readonly string[]
  /** As in the names of actions. */
  readonly service: string
  readonly actions: readonly string[]
  /** The end of an ARN, `*`, or a parameter that is one. `<…>` is the stage or a parameter. */
  readonly on: string
}

/** @param makes types, without `AWS::` */
function right(makes: string, service: string, on: string, actions: string): DeployRight {
  const types = makes.split(' ').map((type) => (type === '*' ? type : `AWS::${type}`))
  return { makes: types, service, on, actions: actions.split(' ') }
}

const STACK = 'CreateStack UpdateStack DeleteStack CreateChangeSet DescribeChangeSet ExecuteChangeSet DeleteChangeSet'
const STACK_LOOKS = 'DescribeStacks DescribeStackEvents DescribeStackResource ListStackResources GetTemplate'
const GATEWAY = 'ApiGatewayV2::Api ApiGatewayV2::Integration ApiGatewayV2::Route ApiGatewayV2::Stage'
const SECURITY_GROUPS =
  'CreateSecurityGroup DeleteSecurityGroup AuthorizeSecurityGroupIngress RevokeSecurityGroupIngress AuthorizeSecurityGroupEgress RevokeSecurityGroupEgress'
/** The services whose role AWS makes in an account at their first use. */
const LINKED_ROLES = [
  'ecs.amazonaws.com',
  'ecs.application-autoscaling.amazonaws.com',
  'elasticloadbalancing.amazonaws.com',
]
const NETWORK = 'DescribeVpcs DescribeSubnets DescribeSecurityGroups'

/**
 * The rights in the table of docs/deploy.md, without which CloudFormation names the denied action. The schemas of CloudFormation's types
 * list what their handlers call (CloudFormation registry, `handlers`). They tag what they create, because the engine
 * tags the stack.
 */
export const DEPLOY_RIGHTS: readonly DeployRight[] = [
  right('*', 'cloudformation', 'stack/gatehouse-<stage>/*', `${STACK} UpdateTerminationProtection ${STACK_LOOKS}`),
  right('*', 'cloudformation', '*', 'ValidateTemplate DescribeStacks'),
  right('*', 'secretsmanager', 'secret:<secretsPrefix>/*', 'DescribeSecret'),
  ...NESTED_STACKS.map(({ id }) =>
    right('CloudFormation::Stack', 'cloudformation', `stack/gatehouse-<stage>-${id}-*`, `${STACK} ${STACK_LOOKS}`),
  ),
  right(
    'S3::Bucket S3::BucketPolicy',
    's3',
    'gatehouse-<stage>-serverlessdeploymentbucket-*',
    'CreateBucket DeleteBucket ListBucket GetBucketLocation PutBucketTagging PutEncryptionConfiguration PutBucketPublicAccessBlock GetBucketPolicy PutBucketPolicy DeleteBucketPolicy',
  ),
  right('S3::Bucket', 's3', 'gatehouse-<stage>-serverlessdeploymentbucket-*/*', 'GetObject PutObject DeleteObject'),
  right(
    'IAM::Role',
    'iam',
    'role/gatehouse-<stage>-*',
    'CreateRole GetRole UpdateRole DeleteRole UpdateAssumeRolePolicy PutRolePolicy GetRolePolicy DeleteRolePolicy ListRolePolicies ListAttachedRolePolicies TagRole',
  ),
  right('IAM::Role.PermissionsBoundary', 'iam', 'role/gatehouse-<stage>-*', 'PutRolePermissionsBoundary'),
  right('Lambda::Function', 'iam', 'role/gatehouse-<stage>-*', 'PassRole'),
  right(
    'Lambda::Function.ReservedConcurrentExecutions',
    'lambda',
    'function:gatehouse-<stage>-*',
    'PutFunctionConcurrency DeleteFunctionConcurrency',
  ),
  right('DynamoDB::Table.SSESpecification', 'kms', '<kmsKeyArn>', 'DescribeKey CreateGrant'),
  right('Logs::LogGroup.KmsKeyId', 'logs', 'log-group:/gatehouse/<stage>/*', 'AssociateKmsKey DisassociateKmsKey'),
  right('ApiGatewayV2::Integration', 'iam', 'role/gatehouse-<stage>-*', 'PassRole'),
  right('ECS::TaskDefinition', 'iam', 'role/gatehouse-<stage>-*', 'PassRole'),
  right(
    'Lambda::Function',
    'lambda',
    'function:gatehouse-<stage>-*',
    'CreateFunction GetFunction GetFunctionConfiguration UpdateFunctionCode UpdateFunctionConfiguration DeleteFunction GetFunctionRecursionConfig PutFunctionRecursionConfig GetFunctionCodeSigningConfig GetRuntimeManagementConfig TagResource',
  ),
  right(
    'Lambda::Version Lambda::Alias',
    'lambda',
    'function:gatehouse-<stage>-*',
    'PublishVersion ListVersionsByFunction CreateAlias GetAlias UpdateAlias DeleteAlias',
  ),
  right(
    'Lambda::Alias',
    'codedeploy',
    '*',
    'CreateDeployment GetDeployment GetDeploymentConfig GetApplicationRevision RegisterApplicationRevision',
  ),
  right(
    'CodeDeploy::Application',
    'codedeploy',
    'application:gatehouse-<stage>-*',
    'CreateApplication GetApplication DeleteApplication TagResource',
  ),
  right(
    'CodeDeploy::DeploymentGroup',
    'codedeploy',
    'deploymentgroup:gatehouse-<stage>-*',
    'CreateDeploymentGroup GetDeploymentGroup UpdateDeploymentGroup DeleteDeploymentGroup TagResource',
  ),
  right('CodeDeploy::DeploymentGroup', 'iam', 'role/gatehouse-<stage>-*', 'PassRole'),
  right('Lambda::Permission', 'lambda', 'function:gatehouse-<stage>-*', 'AddPermission RemovePermission GetPolicy'),
  right(
    'Lambda::EventInvokeConfig',
    'lambda',
    'function:gatehouse-<stage>-*',
    'PutFunctionEventInvokeConfig GetFunctionEventInvokeConfig UpdateFunctionEventInvokeConfig DeleteFunctionEventInvokeConfig',
  ),
  right(
    'Lambda::EventSourceMapping',
    'lambda',
    '*',
    'CreateEventSourceMapping GetEventSourceMapping UpdateEventSourceMapping DeleteEventSourceMapping TagResource',
  ),
  right('Lambda::Function.VpcConfig', 'ec2', '*', NETWORK),
  ...['/aws/vendedlogs/http-api/gatehouse-<stage>', '/gatehouse/<stage>/*'].map((name) =>
    right(
      'Logs::LogGroup',
      'logs',
      `log-group:${name}`,
      'CreateLogGroup DeleteLogGroup PutRetentionPolicy TagResource',
    ),
  ),
  right('Logs::LogGroup', 'logs', '*', 'DescribeLogGroups'),
  right(
    'Logs::MetricFilter',
    'logs',
    'log-group:/aws/vendedlogs/http-api/gatehouse-<stage>',
    'PutMetricFilter DeleteMetricFilter',
  ),
  right('Logs::MetricFilter', 'logs', '*', 'DescribeMetricFilters'),
  right('Logs::QueryDefinition', 'logs', '*', 'PutQueryDefinition DescribeQueryDefinitions DeleteQueryDefinition'),
  right(
    'ApiGatewayV2::Stage',
    'logs',
    '*',
    'CreateLogDelivery GetLogDelivery UpdateLogDelivery DeleteLogDelivery ListLogDeliveries PutResourcePolicy DescribeResourcePolicies',
  ),
  right(
    'CloudWatch::Alarm',
    'cloudwatch',
    'alarm:gatehouse-<stage>-*',
    'PutMetricAlarm DescribeAlarms DeleteAlarms TagResource',
  ),
  right(
    'CloudWatch::Dashboard',
    'cloudwatch',
    'dashboard/gatehouse-<stage>',
    'PutDashboard GetDashboard DeleteDashboards TagResource',
  ),
  right(
    'Events::Rule',
    'events',
    'rule/gatehouse-<stage>-*',
    'PutRule DescribeRule DeleteRule PutTargets ListTargetsByRule RemoveTargets TagResource',
  ),
  right(
    'DynamoDB::Table',
    'dynamodb',
    'table/gatehouse-<stage>-*',
    'CreateTable DescribeTable UpdateTable DeleteTable DescribeContinuousBackups UpdateContinuousBackups DescribeTimeToLive UpdateTimeToLive TagResource',
  ),
  right(
    'SQS::Queue SQS::QueuePolicy',
    'sqs',
    'gatehouse-<stage>-*',
    'CreateQueue GetQueueUrl GetQueueAttributes SetQueueAttributes DeleteQueue TagQueue',
  ),
  ...['/apis', '/apis/*', '/tags/*'].map((path) => right(GATEWAY, 'apigateway', path, 'GET POST PUT PATCH DELETE')),
  ...['/domainnames', '/domainnames/<domainName>', '/domainnames/<domainName>/*'].map((path) =>
    right('ApiGatewayV2::DomainName ApiGatewayV2::ApiMapping', 'apigateway', path, 'GET POST PATCH DELETE'),
  ),
  right(
    'CloudFront::Distribution',
    'cloudfront',
    '*',
    'CreateDistribution GetDistribution GetDistributionConfig UpdateDistribution DeleteDistribution TagResource',
  ),
  right('CloudFront::Distribution', 'lambda', '<edgeChallengeArn>', 'GetFunction EnableReplication DisableReplication'),
  right(
    'Route53::RecordSet',
    'route53',
    'hostedzone/<hostedZoneId>',
    'GetHostedZone ChangeResourceRecordSets ListResourceRecordSets',
  ),
  right('Route53::RecordSet', 'route53', 'change/*', 'GetChange'),
  right(
    'ECS::Cluster',
    'ecs',
    'cluster/gatehouse-<stage>',
    'CreateCluster DescribeClusters UpdateCluster DeleteCluster TagResource',
  ),
  right(
    'ECS::Service',
    'ecs',
    'service/gatehouse-<stage>/*',
    'CreateService DescribeServices UpdateService DeleteService TagResource',
  ),
  right(
    'ECS::TaskDefinition',
    'ecs',
    '*',
    'RegisterTaskDefinition DescribeTaskDefinition DeregisterTaskDefinition TagResource',
  ),
  right(
    'ElasticLoadBalancingV2::LoadBalancer',
    'elasticloadbalancing',
    '*',
    'CreateLoadBalancer DescribeLoadBalancers DescribeLoadBalancerAttributes ModifyLoadBalancerAttributes SetSecurityGroups SetSubnets DeleteLoadBalancer AddTags',
  ),
  right(
    'ElasticLoadBalancingV2::Listener ElasticLoadBalancingV2::ListenerRule',
    'elasticloadbalancing',
    '*',
    'CreateListener DescribeListeners ModifyListener DeleteListener CreateRule DescribeRules ModifyRule SetRulePriorities DeleteRule AddTags',
  ),
  right(
    'ElasticLoadBalancingV2::TargetGroup',
    'elasticloadbalancing',
    '*',
    'CreateTargetGroup DescribeTargetGroups DescribeTargetGroupAttributes ModifyTargetGroup ModifyTargetGroupAttributes DeleteTargetGroup AddTags',
  ),
  right('WAFv2::WebACLAssociation', 'wafv2', '*', 'AssociateWebACL DisassociateWebACL GetWebACL GetWebACLForResource'),
  right('WAFv2::WebACLAssociation', 'elasticloadbalancing', '*', 'SetWebAcl'),
  right('EC2::SecurityGroup EC2::SecurityGroupIngress', 'ec2', '*', `${SECURITY_GROUPS} ${NETWORK} CreateTags`),
  right(
    'ApplicationAutoScaling::ScalableTarget ApplicationAutoScaling::ScalingPolicy',
    'application-autoscaling',
    '*',
    'RegisterScalableTarget DescribeScalableTargets DeregisterScalableTarget TagResource PutScalingPolicy DescribeScalingPolicies DeleteScalingPolicy',
  ),
  right(
    'ApplicationAutoScaling::ScalingPolicy',
    'cloudwatch',
    'alarm:TargetTracking-*',
    'PutMetricAlarm DescribeAlarms DeleteAlarms',
  ),
  ...LINKED_ROLES.map((service) =>
    right('ECS::Service', 'iam', `role/aws-service-role/${service}/*`, 'CreateServiceLinkedRole'),
  ),
]
