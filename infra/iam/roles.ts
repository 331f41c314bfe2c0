import type { Right } from '../../lib/config.ts'
import type { Grants } from '../../lib/endpoints/grants.ts'
import { logicalIdOf } from '../logical-id.ts'
import { type LoggingFunction, logGroupOf, type NamedService } from '../logs.ts'
import { roleOf } from './role.ts'

/** The part of the deployment engine with the functions of serverless.yml and the resources of its stack. */
export interface RolesEngine {
  readonly service: NamedService & {
    readonly resources: { readonly Resources: Record<string, unknown> }
    readonly functions: Readonly<Record<string, LoggingFunction & { role?: string }>>
  }
}

/**
 * Gives each function a role of its own, and adds the roles to the resources of the stack.
 * @param grants as `grants.ts` has them
 * @param rights those that the team's configuration adds for its own code
 * @throws Error naming the functions that have no row there
 */
export function addRoles(
  { service }: RolesEngine,
  grants: Readonly<Record<string, readonly Grants[]>>,
  rights: Readonly<Record<string, readonly Right[]>> = {},
): void {
  const missing = Object.keys(service.functions).filter((name) => !Object.hasOwn(grants, name))
  if (missing.length > 0)
    throw new Error(`lib/endpoints and infra/iam/grants.ts do not say what these may do: ${missing.join(', ')}`)
  for (const [name, declared] of Object.entries(service.functions)) {
    declared.role = `${logicalIdOf(name)}Role`
    service.resources.Resources[declared.role] = roleOf({
      secrets: String(service.provider.environment['SECRETS_PREFIX']),
      logGroup: logGroupOf(declared, service).name,
      grants: grants[name] ?? [],
      rights: rights[name] ?? [],
    })
  }
}
