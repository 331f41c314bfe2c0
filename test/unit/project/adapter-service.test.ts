import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { statementsOf as granted, roleOf } from '../../../infra/iam/role.ts'
import { type Grants, PUBLISH, RECORD } from '../../../lib/contract/grants.ts'
import { loadConfig } from '../../../lib/runtime/config.ts'
import { type Gauge, NAMESPACE } from '../../../lib/runtime/metrics.ts'
import { channelSettings } from '../../../lib/runtime/settings/channels.ts'
import { edgeSettings } from '../../../lib/runtime/settings/edge.ts'
import { SECRETS } from '../../../lib/runtime/settings/secret-names.ts'
import { containerDefinition, propertiesOf, service } from '../../support/adapter-service.ts'
import { healthCommand, lastOf, readDockerfile } from '../../support/dockerfile.ts'

const image = readDockerfile('infra/adapter/Dockerfile').stages.at(-1)
if (!image) throw new Error('the Dockerfile has no stage')

const { GRPC_PORT, WS_PORT } = loadConfig(channelSettings, [], {})
const container = containerDefinition()
interface Scaling {
  readonly CustomizedMetricSpecification: { readonly MetricName: Gauge }
}

/** The greatest value of STOMP_HEART_BEAT_SECONDS. */
const SLOWEST_HEART_BEAT_MS = 60_000

const setting = (name: string) => container.Environment.find(({ Name }) => Name === name)?.Value

describe('the container on ECS', () => {
  it('exists only on request: every resource and output has the condition', () => {
    const { Conditions, Resources, Outputs } = service
    // The firewall has the condition, and one more.
    expect(Conditions).toEqual({
      AdapterEnabled: ['{param:adapterEnabled}', 'true'],
      ContainerFirewall: ['AdapterEnabled', expect.anything()],
    })
    for (const [name, { Condition }] of Object.entries({ ...Resources, ...Outputs })) {
      expect([name, Condition]).toEqual([name, name === 'ContainerFirewall' ? name : 'AdapterEnabled'])
    }
    expect(readFileSync('infra/parameters.yml', 'utf8')).toContain('adapterEnabled: false')
  })

  it('K10 runs as the image defines, and writes nowhere', () => {
    expect(container.User).toBe(lastOf(image, 'USER').argument)
    expect(container.ReadonlyRootFilesystem).toBe(true)
    expect(container.HealthCheck.Command).toEqual(['CMD', ...healthCommand(image)])
    const { interval, timeout } = lastOf(image, 'HEALTHCHECK').flags
    expect([`${container.HealthCheck.Interval}s`, `${container.HealthCheck.Timeout}s`]).toEqual([interval, timeout])
    expect(propertiesOf('AdapterTaskDefinition')['Memory']).toBe(`${container.Memory}`)
  })

  it('has the ports of the settings everywhere', () => {
    expect(container.PortMappings.map(({ ContainerPort }) => ContainerPort)).toEqual([GRPC_PORT, WS_PORT])
    expect(propertiesOf('AdapterGrpcTargets')).toMatchObject({ Port: GRPC_PORT, ProtocolVersion: 'GRPC' })
    expect(propertiesOf('AdapterWebSocketTargets')).toMatchObject({ Port: WS_PORT, ProtocolVersion: 'HTTP1' })
    for (const [name, port] of [
      ['AdapterGrpcIngress', GRPC_PORT],
      ['AdapterWebSocketIngress', WS_PORT],
    ] as const) {
      expect(propertiesOf(name)).toMatchObject({ FromPort: port, ToPort: port })
    }
    expect(propertiesOf('AdapterLoadBalancerSecurityGroup')['SecurityGroupEgress']).toMatchObject([
      { FromPort: GRPC_PORT, ToPort: GRPC_PORT },
      { FromPort: WS_PORT, ToPort: WS_PORT },
    ])
    expect(propertiesOf('AdapterService')['LoadBalancers']).toMatchObject([
      { ContainerPort: GRPC_PORT, TargetGroupArn: 'AdapterGrpcTargets' },
      { ContainerPort: WS_PORT, TargetGroupArn: 'AdapterWebSocketTargets' },
    ])
  })

  it('has the time to drain before it is killed, and its connections have it as well', () => {
    const drain = Number(setting('DRAIN_SECONDS'))
    expect(container.StopTimeout).toBeGreaterThan(drain)
    expect(container.StopTimeout).toBeLessThanOrEqual(120)
    for (const targets of ['AdapterGrpcTargets', 'AdapterWebSocketTargets']) {
      const attribute = { Key: 'deregistration_delay.timeout_seconds', Value: `${drain}` }
      expect(propertiesOf(targets)['TargetGroupAttributes']).toContainEqual(attribute)
    }
  })

  it('gets more tasks before its places are used up, and sends the next client to the least busy', () => {
    const { TargetTrackingScalingPolicyConfiguration: scaling } = propertiesOf('AdapterSessionsScalingPolicy')
    const metric: { readonly MetricName: Gauge } = (scaling as Scaling).CustomizedMetricSpecification
    expect(metric).toEqual({
      Namespace: NAMESPACE,
      MetricName: 'PlacesTaken',
      Dimensions: [{ Name: 'service', Value: '{self:service}-{sls:stage}' }],
      Statistic: 'Average',
      Unit: 'Percent',
    })
    for (const targets of ['AdapterGrpcTargets', 'AdapterWebSocketTargets']) {
      const attribute = { Key: 'load_balancing.algorithm.type', Value: 'least_outstanding_requests' }
      expect(propertiesOf(targets)['TargetGroupAttributes']).toContainEqual(attribute)
    }
  })

  it('keeps a connection that sends its heart-beats', () => {
    const attributes = propertiesOf('AdapterLoadBalancer')['LoadBalancerAttributes'] as { Key: string; Value: string }[]
    const idle = attributes.find(({ Key }) => Key === 'idle_timeout.timeout_seconds')
    expect(Number(idle?.Value) * 1000).toBeGreaterThan(2 * SLOWEST_HEART_BEAT_MS)
  })

  it('T19 trusts its load balancer about the addresses of clients, and no other machine can reach it', () => {
    expect(setting('TRUSTED_PROXIES')).toBe('{param:adapterProxies}')
    const [, proxies = ''] = /^adapterProxies: (.*)$/m.exec(readFileSync('infra/parameters.yml', 'utf8')) ?? []
    const { TRUSTED_PROXIES } = loadConfig(edgeSettings, [], {
      BASE_URL: 'https://a.example',
      TRUSTED_PROXIES: proxies,
    })
    const trusted = ['10.1.2.3', '172.31.0.1', '192.168.1.1', '100.64.0.1', '192.0.2.1', '8.8.8.8', '172.32.0.1']
    expect(trusted.filter((address) => TRUSTED_PROXIES.has(address))).toEqual(trusted.slice(0, 4))
    for (const ingress of ['AdapterGrpcIngress', 'AdapterWebSocketIngress']) {
      expect(propertiesOf(ingress)).toMatchObject({ SourceSecurityGroupId: 'AdapterLoadBalancerSecurityGroup.GroupId' })
    }
  })

  it('gets each setting once, and only the names of its secrets', () => {
    const names = container.Environment.map(({ Name }) => Name)
    expect(new Set(names).size).toBe(names.length)
    expect(
      names.filter((name) =>
        Object.values(SECRETS)
          .flat()
          .some((secret) => secret === name),
      ),
    ).toEqual([])
    expect(container.Secrets).toBeUndefined()
    expect(setting('SECRETS_PREFIX')).toBe('{param:secretsPrefix}')
  })
})

interface Statement {
  readonly Effect: string
  readonly Action: readonly string[]
  readonly Resource: string | readonly string[]
}

function statementsOf(role: string): readonly Statement[] {
  const policies = propertiesOf(role)['Policies'] as { PolicyDocument: { Statement: Statement[] } }[]
  return policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
}

describe('the roles of the container', () => {
  it('only actions that AWS ties to no resource are allowed on all', () => {
    const all = ['AdapterTaskRole', 'AdapterExecutionRole'].flatMap(statementsOf)
    const unbound = all.filter(({ Resource }) => [Resource].flat().includes('*')).flatMap(({ Action }) => Action)
    expect(unbound).toEqual(['ecr:GetAuthorizationToken'])
    expect(all.flatMap(({ Action }) => Action).filter((action) => action.includes('*'))).toEqual([])
  })

  it('S22 only rows of tickets may be deleted from the sessions, and no row may be created or changed', () => {
    const onSessions = statementsOf('AdapterTaskRole').filter(({ Resource }) =>
      [Resource].flat().includes('SessionsTable.Arn'),
    )
    expect(onSessions).toEqual([
      { Effect: 'Allow', Action: ['dynamodb:GetItem'], Resource: ['SessionsTable.Arn'] },
      {
        Effect: 'Allow',
        Action: ['dynamodb:DeleteItem'],
        Resource: ['SessionsTable.Arn'],
        Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['ticket#*'] } },
      },
    ])
  })

  it('of the messages, the container may add and read, and nothing else', () => {
    const onMessages = statementsOf('AdapterTaskRole').filter(({ Resource }) =>
      [Resource].flat().some((resource) => resource.startsWith('MessagesTable')),
    )
    expect(onMessages).toEqual([
      { Effect: 'Allow', Action: ['dynamodb:Query'], Resource: ['MessagesTable.Arn'] },
      ...limited('MessagesTable', PUBLISH),
    ])
  })

  it('to the audit trail, the container may add, and it may neither change nor delete a row', () => {
    const onTrail = statementsOf('AdapterTaskRole').filter(({ Resource }) =>
      [Resource].flat().includes('AuditTable.Arn'),
    )
    const { Properties } = roleOf({ logGroup: '', secrets: '', grants: [RECORD] })
    const { Action } = Properties.Policies[0]?.PolicyDocument.Statement.at(-1) ?? {}
    expect(onTrail).toEqual([
      ...limited('AuditTable', RECORD),
      { Effect: 'Deny', Action, Resource: ['AuditTable.Arn'] },
    ])
  })

  /** As a function with the same grant has them. */
  function limited(table: string, grant: Grants) {
    return granted([grant]).map((statement) => ({ ...statement, Resource: [`${table}.Arn`] }))
  }

  it('no other role exists', () => {
    const roles = Object.entries(service.Resources).filter(([, { Type }]) => Type === 'AWS::IAM::Role')
    expect(roles.map(([name]) => name)).toEqual(['AdapterExecutionRole', 'AdapterTaskRole'])
  })
})
