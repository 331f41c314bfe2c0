/** The secret settings, by the secret that holds them on a deployed stage. */
export const SECRETS = {
  tokens: ['JWT_KEYS'],
  webhooks: ['WEBHOOK_SECRETS'],
  deliveries: ['DELIVERY_SECRETS'],
  oauth2: [
    'OAUTH2_GOOGLE_CLIENT_SECRET',
    'OAUTH2_GITHUB_CLIENT_SECRET',
    'OAUTH2_FACEBOOK_CLIENT_SECRET',
    'OIDC_CLIENT_SECRETS',
  ],
  directory: ['LDAP_BIND_DN', 'LDAP_BIND_PASSWORD'],
} as const satisfies Record<string, readonly string[]>

/** Each handler has a secret of its own, of the form of `deliveries`. */
export type SecretName = keyof typeof SECRETS | `handlers/${string}`

export function secretKind(name: SecretName): keyof typeof SECRETS {
  return Object.hasOwn(SECRETS, name) ? (name as keyof typeof SECRETS) : 'deliveries'
}
