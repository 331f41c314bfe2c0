import { newUser } from '../lib/contract/requests/new-user.ts'
import type { Environment } from '../lib/runtime/config.ts'
import type { NewUser } from '../lib/users/manage.ts'
import { readOptions, UsageError } from './command.ts'

export const ADMIN_USAGE = `npm run admin -- <name> --stage NAME

Makes an admin of a deployed stage, in its users table: the first one, as only admins make others. The password is in
GATEHOUSE_PASSWORD. The audit trail says who did it, as AWS names the credentials of this shell.

They come from the environment, as AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION, and need on that stage
dynamodb:GetItem, PutItem and UpdateItem on its tables users and audit, logs:CreateLogStream and PutLogEvents on its audit
trail, and secretsmanager:GetSecretValue on the secret audit. SECRETS_PREFIX names its secrets if they are not gatehouse/NAME.

  --stage NAME  as in stages/NAME.yml
`

export interface AdminOrder {
  readonly stage: string
  readonly user: NewUser
}

/** @throws UsageError */
export function readAdminOrder(args: readonly string[], { GATEHOUSE_PASSWORD: password }: Environment): AdminOrder {
  const options = { stage: { type: 'string' } } as const
  const { values, positionals } = readOptions({ args: [...args], options, allowPositionals: true })
  const [username, ...more] = positionals
  if (!username || more.length > 0) throw new UsageError('Name one user')
  const { stage } = values
  if (stage === undefined || !/^[a-z][a-z0-9-]{0,30}$/.test(stage) || stage === 'local')
    throw new UsageError('--stage must name a deployed stage')
  if (!password) throw new UsageError('GATEHOUSE_PASSWORD has to hold the password')
  const { data, error } = newUser.safeParse({ username, password, role: 'ROLE_ADMIN' })
  if (error) throw new UsageError(error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; '))
  return { stage, user: data }
}
