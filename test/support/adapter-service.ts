import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { containerEnvironment } from '../../infra/settings.ts'
import type { Role, Statement } from './allowed.ts'

interface Resource {
  readonly Type: string
  readonly Condition?: string
  readonly Properties: Readonly<Record<string, unknown>>
}

/** What ECS is told of the one container. */
export interface ContainerDefinition {
  readonly User: string
  readonly Memory: number
  readonly ReadonlyRootFilesystem: boolean
  readonly StopTimeout: number
  readonly PortMappings: readonly { readonly ContainerPort: number }[]
  readonly Environment: readonly { readonly Name: string; readonly Value: string }[]
  readonly Secrets?: unknown
  readonly HealthCheck: { readonly Command: readonly string[]; readonly Interval: number; readonly Timeout: number }
}

interface Service {
  readonly Conditions: Readonly<Record<string, unknown>>
  readonly Resources: Readonly<Record<string, Resource>>
  readonly Outputs: Readonly<Record<string, { readonly Condition: string }>>
}

const template = readFileSync('infra/adapter/service.yml', 'utf8').replace(
  /\$\{file.*container\}/,
  JSON.stringify(containerEnvironment()),
)

/** The container's template; CloudFormation's functions stand as their arguments, variables as names in braces. */
export const service: Service = parse(template.replaceAll('${', '{'), { logLevel: 'silent' })

/** @throws Error when there is none of that name */
export function propertiesOf(name: string): Readonly<Record<string, unknown>> {
  const resource = service.Resources[name]
  if (!resource) throw new Error(`service.yml has no ${name}`)
  return resource.Properties
}

/** The role of the process. @param statements what a stage with destinations adds to it */
export function containerRole(statements: readonly Statement[] = []): Role {
  const { Policies: policies } = propertiesOf('AdapterTaskRole') as unknown as Role['Properties']
  return { Properties: { Policies: [...policies, { PolicyDocument: { Statement: statements } }] } }
}

export function containerDefinition(): ContainerDefinition {
  const [definition] = propertiesOf('AdapterTaskDefinition')['ContainerDefinitions'] as readonly ContainerDefinition[]
  if (!definition) throw new Error('service.yml has no container')
  return definition
}
