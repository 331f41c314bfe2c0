import { canonicalAddress } from '../address.ts'
import { choice, decimal, optional, type Rule, whole, withDefault } from '../config.ts'

/** How long a session lives: since it was last used, and in all. */
export const sessionSettings = {
  /** How long a session lives since it was last used */
  SESSION_IDLE_SECONDS: withDefault(decimal(1, 31_536_000), 1800),
  /** How long a session lives in all */
  SESSION_MAX_SECONDS: withDefault(decimal(1, 31_536_000), 43_200),
}

/** How many failed passwords are let through, and how long a right one is remembered. */
export const loginSettings = {
  /** Failed passwords for a name from one address, within the window; 0 sets no limit */
  LOGIN_FAILURES_PER_USER: withDefault(whole(0, 1_000_000), 10),
  /** Failed passwords from one address, within the window; 0 sets no limit */
  LOGIN_FAILURES_PER_ADDRESS: withDefault(whole(0, 1_000_000), 100),
  /** Failed passwords for a name from all addresses where it did not log in within 30 days; 0 sets no limit */
  LOGIN_FAILURES_PER_NAME: withDefault(whole(0, 1_000_000), 100),
  /** The window of these limits */
  LOGIN_FAILURE_WINDOW_SECONDS: withDefault(decimal(1, 86_400), 300),
  /** How long a right password is remembered; 0 not at all */
  BASIC_CACHE_SECONDS: withDefault(whole(0, 60), 60),
}

/** Whether accounts may have passkeys. */
export const passkeySettings = {
  /** `on`, `off`: whether accounts may have [passkeys](api.md#passkeys) @default `on` locally, else `off` */
  PASSKEYS: optional(choice(['on', 'off'])),
}

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
