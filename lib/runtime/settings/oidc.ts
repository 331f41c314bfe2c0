import * as z from 'zod/mini'
import { parsed, withDefault } from '../config.ts'

const ROLES = ['ROLE_ADMIN', 'ROLE_USER'] as const

/** The claim whose values give roles: its name, or a path with dots to it. */
export interface ClaimedRoles {
  readonly claim: string
  readonly map: Readonly<Record<string, (typeof ROLES)[number]>>
}

/** A client of ours at a provider with OpenID Connect. */
export interface OidcClient {
  readonly issuer: URL
  readonly clientId: string
  /** For people. */
  readonly label: string
  /** Separated by spaces. */
  readonly scope: string
  readonly roles?: ClaimedRoles | undefined
}

/** The rule of {@link isProviderAddress}. */
export const ADDRESS = 'must be an http or https address, without user, query, fragment or /.well-known/'

export function isProviderAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isBare = !url?.username && !url?.search && !url?.hash && !url?.pathname.includes('/.well-known/')
  return url !== undefined && /^https?:$/.test(url.protocol) && isBare
}

const matching = (rule: RegExp) => z.string().check(z.regex(rule))

const client = z.strictObject({
  issuer: z.string().check(z.refine(isProviderAddress)),
  clientId: matching(/^[ -~]{1,512}$/),
  label: z.exactOptional(matching(/^[^\p{C}]{1,40}$/u)),
  scopes: z.exactOptional(matching(/^[!-~]+(?: [!-~]+)*$/)),
  roles: z.exactOptional(
    z.strictObject({ claim: z.string().check(z.minLength(1)), map: z.record(z.string(), z.enum(ROLES)) }),
  ),
})

const RULES: Readonly<Record<PropertyKey, string>> = {
  issuer: `issuer ${ADDRESS}`,
  clientId: 'clientId must be a text of ASCII characters',
  label: 'label must be a text of at most 40 characters',
  scopes: 'scopes must be a text with a space between any two',
  roles: `roles must be {"claim":"…","map":{"…":"${ROLES.join('" or "')}"}}`,
}
const OTHERWISE = 'must have issuer and clientId, and may have label, scopes and roles'

/** Those of other providers, of other accounts (`ldap:`, `key:`), and the secret without a provider. */
const TAKEN = ['google', 'github', 'facebook', 'ldap', 'key', 'sealing']
const NAME = /^[a-z][a-z0-9-]{0,23}$/

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return z.parse(z.record(z.string(), z.unknown()), JSON.parse(text))
  } catch {
    throw new Error('must be a JSON object')
  }
}

function clients(text: string): ReadonlyMap<string, OidcClient> {
  return new Map(Object.entries(objectIn(text)).map(([name, given]) => [name, clientOf(name, given)]))
}

function clientOf(name: string, given: unknown): OidcClient {
  if (!NAME.test(name) || TAKEN.includes(name))
    throw new Error(`names have 1 to 24 of a-z, 0-9 and -, a letter first, and are none of ${TAKEN.join(', ')}`)
  const { data, error } = z.safeParse(client, given)
  if (!data)
    throw new Error(
      `${name}: ${[...new Set(error?.issues.map(({ path: [member = ''] }) => RULES[member] ?? OTHERWISE))].join('; ')}`,
    )
  const { issuer, label = name, scopes = 'openid profile email', ...same } = data
  const scope = scopes.split(' ').includes('openid') ? scopes : `openid ${scopes}`
  return { issuer: new URL(issuer), label, scope, ...same }
}

function secretsByName(text: string): ReadonlyMap<string, string> {
  const entries = Object.entries(objectIn(text))
  if (entries.every((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== ''))
    return new Map(entries)
  throw new Error('must map each provider name to a text')
}

export const oidcSettings = {
  /**
   * JSON: name → `{"issuer","clientId","label","scopes","roles"}`, providers with OpenID Connect beside the three
   * ([what a provider needs](guide/choose-authentication.md#an-identity-provider)) @default none
   */
  OIDC_PROVIDERS: /* @__PURE__ */ withDefault(/* @__PURE__ */ parsed(clients), new Map<string, OidcClient>()),
}

export const oidcSecretSettings = {
  /**
   * JSON: name of such a provider → secret of its client; without one it is a public client. Where no client has a
   * secret, `sealing` has one that protects logins under way @default none
   */
  OIDC_CLIENT_SECRETS: /* @__PURE__ */ withDefault(/* @__PURE__ */ parsed(secretsByName), new Map<string, string>()),
}
