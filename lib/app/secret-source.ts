import { accessFromEnvironment } from '../adapters/aws/client.ts'
import { secretsManager } from '../adapters/secrets/secrets-manager.ts'
import type { SecretSource } from '../runtime/secrets.ts'

let opened: SecretSource | undefined

/** Secrets Manager, with the credentials of the function's or task's role. */
export function secretSource(): SecretSource {
  opened ??= secretsManager(() => accessFromEnvironment('secretsmanager', 'SECRETS_MANAGER'))
  return opened
}
