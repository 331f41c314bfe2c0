import { hostname } from 'node:os'
import { env } from 'node:process'
import { awsReason, checkCaller } from '../infra/check/account.ts'
import { dynamoUserAdministration } from '../lib/adapters/dynamodb/users.ts'
import { documents } from '../lib/app/stores.ts'
import { trailOf } from '../lib/app/trail.ts'
import { hashPassword } from '../lib/auth/password.ts'
import { ServiceError } from '../lib/errors.ts'
import { clockIds } from '../lib/runtime/ids.ts'
import { systemClock } from '../lib/runtime/time.ts'
import { recordChange } from '../lib/trail/trail.ts'
import { createUser } from '../lib/users/manage.ts'
import { ADMIN_USAGE, type AdminOrder, readAdminOrder } from './admin-options.ts'
import { printerFor, runCommand } from './command.ts'
import { StartError } from './start-error.ts'

await runCommand({ name: 'admin', usage: ADMIN_USAGE, run: (args) => makeAdmin(readAdminOrder(args, env)) })

async function makeAdmin({ stage, user, json }: AdminOrder): Promise<number> {
  const { finding, arn } = await checkCaller(env['AWS_REGION'] ?? '')
  if (arn === undefined) throw new StartError(finding.message)
  const { username, role } = user
  const deed = {
    action: 'user.created',
    actor: { name: arn, authType: 'AWS' },
    change: { role },
    from: hostname(),
  } as const
  try {
    env['AUDIT_TABLE'] = `gatehouse-${stage}-audit`
    const trail = trailOf()
    const users = dynamoUserAdministration(documents(), {
      users: `gatehouse-${stage}-users`,
      passkeys: `gatehouse-${stage}-passkeys`,
    })
    const parts = { clock: systemClock, ids: clockIds(systemClock) }
    const { id } = await recordChange(trail, deed, () => createUser(users, parts, hashPassword, user))
    printerFor(json)({ stage, username, id }, `${username} is an admin of ${stage}, with the id ${id}\n`)
    return 0
  } catch (error) {
    throw error instanceof ServiceError ? new StartError(reasonOf(error), { cause: error }) : error
  }
}

function reasonOf(error: ServiceError): string {
  if (error.is('VALIDATION_FAILED')) return error.details.validationErrors.map(({ message }) => message).join('; ')
  return error.is('UNAVAILABLE') ? `AWS refuses: ${awsReason(error)}` : error.message
}
