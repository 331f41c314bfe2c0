import { hostname } from 'node:os'
import { env } from 'node:process'
import { awsReason, checkCaller } from '../../infra/check/account.ts'
import { serviceName } from '../../infra/team-config.ts'
import { dynamoUserAdministration } from '../../lib/adapters/dynamodb/users.ts'
import { documents, trailOf } from '../../lib/app/stores.ts'
import { hashPassword } from '../../lib/auth/password.ts'
import { newUser } from '../../lib/contract/requests/users.ts'
import { ServiceError } from '../../lib/errors.ts'
import type { Environment } from '../../lib/runtime/config.ts'
import { clockIds } from '../../lib/runtime/ids.ts'
import { systemClock } from '../../lib/runtime/time.ts'
import { recordChange } from '../../lib/trail/trail.ts'
import { createUser } from '../../lib/users/manage.ts'
import { FLAG, printerFor, readOptions, runCommand, stageOption, TEXT, UsageError } from '../command.ts'
import { StartError } from '../errors.ts'

const USAGE = `npx gatehouse admin <name> --stage NAME

Creates the first admin of a deployed stage, in its users table. Only admins create further ones. The password is in
GATEHOUSE_PASSWORD. The audit trail records the name that AWS has for the credentials of this shell; AUDIT_DAYS is how long
it keeps that row (400).

The credentials come from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION. They need dynamodb:PutItem on the stage's
tables users and audit.

  --stage NAME  as in stages/NAME.yml
  --json        one object: stage, username and id
`

/** @throws UsageError */
export function readAdminOrder(args: readonly string[], { GATEHOUSE_PASSWORD: password }: Environment) {
  const options = { stage: TEXT, json: FLAG }
  const { values, positionals } = readOptions({ args: [...args], options, allowPositionals: true })
  const [username, ...more] = positionals
  if (!username || more.length > 0) throw new UsageError('Name one user')
  const stage = stageOption(values.stage)
  if (!password) throw new UsageError('GATEHOUSE_PASSWORD has to hold the password')
  const { data, error } = newUser.safeParse({ username, password, role: 'ROLE_ADMIN' })
  if (error) throw new UsageError(error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; '))
  return { stage, user: data, json: values.json }
}

async function makeAdmin({ stage, user, json }: ReturnType<typeof readAdminOrder>): Promise<number> {
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
    const prefix = `${await serviceName(stage)}-${stage}`
    env['AUDIT_TABLE'] = `${prefix}-audit`
    const trail = trailOf()
    const users = dynamoUserAdministration(documents(), {
      users: `${prefix}-users`,
      passkeys: `${prefix}-passkeys`,
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

if (import.meta.main)
  await runCommand({ name: 'admin', usage: USAGE, run: (args) => makeAdmin(readAdminOrder(args, env)) })
