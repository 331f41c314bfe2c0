/** What local runs use where a deployed stage has a secret; everybody can read it here. */
export const DEMO = { bindPassword: 'gatehouse-demo', clientSecret: 'local-demo-only' } as const

/** Secrets out of the documentation of providers, which people copy. */
const PUBLISHED: readonly string[] = [
  // docs.github.com, "Validating webhook deliveries"
  "It's a Secret to Everybody",
  // docs.slack.dev, "Verifying requests from Slack"
  '8f742231b10e8888abcd99yyyzzz85a5',
  // github.com/standard-webhooks, the libraries' own tests
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  // docs.adyen.com, "Verify HMAC signatures"
  '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056',
]

const PLACEHOLDER = /^<.*>$|change.?me|replace.?me|your.?(?:secret|password|token)|example/i

/** Text with fewer different characters was typed, not drawn. */
const MINIMUM_CHARACTERS = 5

/** What is wrong with a secret on a deployed stage, as a rule; undefined for nothing. */
export function weaknessOf(secret: string, minimumLength: number): string | undefined {
  if (secret.length < minimumLength) return `must have at least ${minimumLength} characters on a deployed stage`
  if ([...PUBLISHED, ...Object.values(DEMO)].includes(secret) || PLACEHOLDER.test(secret))
    return 'must not be an example on a deployed stage'
  if (new Set(secret).size < MINIMUM_CHARACTERS) return 'must be random on a deployed stage'
  return undefined
}
