import { newUser } from '../lib/contract/requests/new-user.ts'
import type { Environment } from '../lib/runtime/config.ts'
import type { NewUser } from '../lib/users/manage.ts'
import { readOptions, UsageError } from './command.ts'

export const ADMIN_USAGE = `npm run admin -- <name> --stage NAME

Creates the first admin of a deployed stage, in its users table. Only admins create further ones. The password is in
GATEHOUSE_PASSWORD. The audit trail records the name that AWS has for the credentials of this shell; AUDIT_DAYS is how long
it keeps that row (400).

The credentials come from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION. They need dynamodb:PutItem on the stage's
tables users and audit.

  --stage NAME  as in stages/NAME.yml
  --json        one object: stage, username and id
`

export interface AdminOrder {
  readonly stage: string
  readonly user: NewUser
  readonly json: boolean
}

/** @throws UsageError */
export function readAdminOrder(args: readonly string[], { GATEHOUSE_PASSWORD: password }: Environment): AdminOrder {
  const options = { stage: { type: 'string' }, json: { type: 'boolean', default: false } } as const
  const { values, positionals } = readOptions({ args: [...args], options, allowPositionals: true })
  const [username, ...more] = positionals
  if (!username || more.length > 0) throw new UsageError('Name one user')
  const { stage } = values
  if (stage === undefined || !/^[a-z][a-z0-9-]{0,30}$/.test(stage) || stage === 'local')
    throw new UsageError('--stage must name a deployed stage')
  if (!password) throw new UsageError('GATEHOUSE_PASSWORD has to hold the password')
  const { data, error } = newUser.safeParse({ username, password, role: 'ROLE_ADMIN' })
  if (error) throw new UsageError(error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; '))
  return { stage, user: data, json: values.json }
}
