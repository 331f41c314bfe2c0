import { canonicalAddress } from '../address.ts'
import type { Rule } from '../config.ts'
import { choice, optional } from './values.ts'

/** Whether accounts may have passkeys. */
export const passkeySettings = { PASSKEYS: optional(choice(['on', 'off'])) }

interface Given {
  readonly STAGE: string
  readonly PASSKEYS: 'on' | 'off' | undefined
}

/** On by default on the local stage, off on a deployed one. */
export function arePasskeysOn({ STAGE, PASSKEYS }: Given): boolean {
  return (PASSKEYS ?? (STAGE === 'local' ? 'on' : 'off')) === 'on'
}

/** Whether browsers store passkeys for a host: it must be a name (Web Authentication section 5.1.3). */
function canHavePasskeys({ hostname }: URL): boolean {
  return !hostname.startsWith('[') && canonicalAddress(hostname) === undefined
}

/** The state that pages show. */
export function passkeyOffer(given: Given & { readonly BASE_URL: URL }): 'on' | 'off' | 'needs-name' {
  if (!arePasskeysOn(given)) return 'off'
  return canHavePasskeys(given.BASE_URL) ? 'on' : 'needs-name'
}

/** A local run may continue: its functions can be called without a browser. */
export const passkeysDeployed: Rule<Given & { readonly BASE_URL: URL }> = {
  settings: ['STAGE', 'PASSKEYS', 'BASE_URL'],
  broken: ({ STAGE, PASSKEYS, BASE_URL }) =>
    STAGE !== 'local' && PASSKEYS === 'on' && !canHavePasskeys(BASE_URL)
      ? 'PASSKEYS: need a BASE_URL with a host name, not an IP address'
      : undefined,
}
