import { providerOf } from '../../lib/webhooks/providers/index.ts'
import type { LocalRun } from '../local-run.ts'
import { StartError } from '../start-error.ts'
import { type SenderCredentials, signerOf } from './signers.ts'

/** The credentials of senders that a run knows. */
export type Keyring = Pick<LocalRun, 'webhookSecrets' | 'signingKey'>

/**
 * The credentials of a sender.
 * @throws StartError when this process cannot read them
 */
export function credentialsOf(name: string, run: Keyring): SenderCredentials {
  const secret = secretOf(name, run)
  if (secret !== undefined) return { secret, signingKey: run.signingKey(name) }
  throw new StartError(
    `No secret for ${name}: start the service first, or set WEBHOOK_SECRETS to what it was started with.`,
  )
}

/** Whether the run has everything to sign as a sender. */
export function canSignAs(name: string, run: Keyring): boolean {
  const { isPaired } = signerOf(providerOf(name).scheme.methods[0])
  return secretOf(name, run) !== undefined && (!isPaired || run.signingKey(name) !== undefined)
}

function secretOf(name: string, { webhookSecrets }: Keyring): string | undefined {
  return webhookSecrets().get(name)?.[0]?.value
}
