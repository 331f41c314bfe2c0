/** What secrets look like that open something: by kind, each with its own mark at the front. */
export const SECRET_PATTERNS = {
  'access key of AWS': /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/g,
  'secret key of AWS': /aws_?secret_?access_?key["']?\s*[=:]\s*["']?[A-Za-z0-9/+]{40}(?![A-Za-z0-9+/])/gi,
  'private key in PEM': /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----/g,
  'private JSON Web Key': /"(?:d|k)"\s*:\s*"[\w-]{20,}"/g,
  'token of Slack': /\bxox[abeoprs]-[\w-]{10,}/g,
  'webhook of Slack': /hooks\.slack\.com\/services\/\w+\/\w+\/\w+/g,
  'key of Stripe': /\b[rs]k_(?:live|test)_\w{12,}/g,
  'webhook secret': /\bwhsec_[A-Za-z0-9+/=]{20,}/g,
  'token of GitHub': /\bgh[oprsu]_[A-Za-z0-9]{30,}|\bgithub_pat_\w{22,}/g,
  'key of Google': /\bAIza[\w-]{35}|\bGOCSPX-[\w-]{20,}|\bya29\.[\w-]{20,}/g,
  'token of npm': /\bnpm_[A-Za-z0-9]{36}/g,
  'key of SendGrid': /\bSG\.[\w-]{16,}\.[\w-]{16,}/g,
  'signed token': /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{20,}/g,
  'key of our tokens': /JWT_KEYS["']?\s*[=:]\s*["']?[\w.-]+:[\w-]{43,}/g,
  'hash of a password': /\$(?:argon2i?d?|2[aby]|scrypt)\$[\w=,$./+]{20,}/g,
  'password in an address': /\b[a-z]+:\/\/[^\s/:@"'`$<>{}]+:[^\s/@"'`$<>{}]+@/g,
} as const satisfies Record<string, RegExp>

export type SecretKind = keyof typeof SECRET_PATTERNS

interface Found {
  readonly kind: SecretKind
  readonly text: string
}

const KINDS = Object.entries(SECRET_PATTERNS) as readonly [SecretKind, RegExp][]

/** Everything in a text that looks like a secret. */
export function secretsIn(text: string): readonly Found[] {
  return KINDS.flatMap(([kind, pattern]) => [...text.matchAll(pattern)].map(([found]) => ({ kind, text: found })))
}
