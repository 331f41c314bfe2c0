import { GetRoleCommand, IAMClient } from '@aws-sdk/client-iam'
import { type Finding, passed, warn } from '../finding.ts'
import { clientIn, isNamed } from './asked.ts'
import { LINKED_ROLES } from './linked-roles.ts'

/**
 * Whether AWS has made the roles that the container's services take: a first deployment may come too early for them.
 * @throws Error of the AWS SDK
 */
export async function checkLinkedRoles(region: string): Promise<readonly Finding[]> {
  const client = new IAMClient(clientIn(region))
  try {
    const found = await Promise.all(
      Object.entries(LINKED_ROLES).map(async ([service, name]) =>
        (await isThere(client, name)) ? [] : [missing(service, name)],
      ),
    )
    const findings = found.flat()
    return findings.length > 0 ? findings : [passed('linked roles', Object.values(LINKED_ROLES).join(', '))]
  } finally {
    client.destroy()
  }
}

async function isThere(client: IAMClient, RoleName: string): Promise<boolean> {
  try {
    await client.send(new GetRoleCommand({ RoleName }))
    return true
  } catch (error) {
    if (isNamed(error, 'NoSuchEntityException')) return false
    throw error
  }
}

function missing(service: string, name: string): Finding {
  const make = `aws iam create-service-linked-role --aws-service-name ${service}`
  return warn('linked roles', `AWS has not made ${name} yet`, `${make}, or deploy a second time when the first fails`)
}
