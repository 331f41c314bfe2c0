/** The roles that AWS makes for itself in an account at the first use of a service, by the name of the service. */
export const LINKED_ROLES = {
  'ecs.amazonaws.com': 'AWSServiceRoleForECS',
  'ecs.application-autoscaling.amazonaws.com': 'AWSServiceRoleForApplicationAutoScaling_ECSService',
  'elasticloadbalancing.amazonaws.com': 'AWSServiceRoleForElasticLoadBalancing',
} as const
