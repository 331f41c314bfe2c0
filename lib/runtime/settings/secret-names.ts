/** The secret settings, by the secret that holds them on a deployed stage. */
export const SECRETS = {
  tokens: ['JWT_KEYS'],
  webhooks: ['WEBHOOK_SECRETS'],
  deliveries: ['DELIVERY_SECRETS'],
  oauth2: ['OAUTH2_GOOGLE_CLIENT_SECRET', 'OAUTH2_GITHUB_CLIENT_SECRET', 'OAUTH2_FACEBOOK_CLIENT_SECRET'],
  directory: ['LDAP_BIND_DN', 'LDAP_BIND_PASSWORD'],
} as const satisfies Record<string, readonly string[]>

export type SecretName = keyof typeof SECRETS
