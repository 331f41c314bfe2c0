import { logicalIdOf } from '../logical-id.ts'
import { GRANTS } from './grants.ts'
import { roleOf } from './role.ts'

/** The part of the deployment engine with the functions of serverless.yml and the resources of its stack. */
export interface RolesEngine {
  readonly service: {
    readonly provider: { readonly environment: Readonly<Record<string, unknown>> }
    readonly resources: { readonly Resources: Record<string, unknown> }
    readonly functions: Readonly<Record<string, { role?: string }>>
  }
}

/**
 * Gives each function a role of its own, and adds the roles to the resources of the stack.
 * @throws Error naming the functions that have no row in `grants.ts`
 */
export function addRoles({ service }: RolesEngine): void {
  const missing = Object.keys(service.functions).filter((name) => !Object.hasOwn(GRANTS, name))
  if (missing.length > 0)
    throw new Error(`lib/endpoints and infra/iam/grants.ts do not say what these may do: ${missing.join(', ')}`)
  for (const [name, declared] of Object.entries(service.functions)) {
    const id = logicalIdOf(name)
    declared.role = `${id}Role`
    service.resources.Resources[declared.role] = roleOf({
      secrets: String(service.provider.environment['SECRETS_PREFIX']),
      logGroup: `${id}LogGroup`,
      grants: GRANTS[name] ?? [],
    })
  }
}
