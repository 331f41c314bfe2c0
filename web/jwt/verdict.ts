import { TOKEN_STATUSES, type TokenStatus } from '../../lib/contract/token-status.ts'

/** What an answer of `GET /api/auth/info` to a token says about that token. */
export type TokenVerdict = TokenStatus | 'VALID' | 'IGNORED' | 'UNCLEAR'

interface Reading {
  readonly tone: 'good' | 'warn' | 'bad'
  /** In plain words. */
  readonly text: string
}

export const READINGS: Readonly<Record<TokenVerdict, Reading>> = {
  VALID: { tone: 'good', text: 'It holds: signed by this service, complete, and neither too early nor too late.' },
  MISSING: { tone: 'bad', text: 'There is no token to look at.' },
  MALFORMED: {
    tone: 'bad',
    text: 'This is not a JWT: three parts in base64url with dots between, the first two JSON objects.',
  },
  UNSUPPORTED_ALGORITHM: {
    tone: 'bad',
    text: 'Its header asks for another algorithm than HS512, or for an extension. It was not looked at any further.',
  },
  INVALID_SIGNATURE: {
    tone: 'bad',
    text: 'No key of this service made its signature: it was changed after it was signed, or somebody else signed it.',
  },
  MISSING_CLAIMS: { tone: 'bad', text: 'It is signed, but lacks one of the claims sub, role, iat and exp.' },
  INVALID_CLAIMS: {
    tone: 'bad',
    text: 'It is signed, but a claim has a wrong type or a value that is not known here.',
  },
  EXPIRED: { tone: 'warn', text: 'It was good once, but its time is over. A new login gives a new one.' },
  REVOKED: { tone: 'bad', text: 'It is signed and in time, but its account has ended, changed or logged out since.' },
  NOT_YET_VALID: { tone: 'warn', text: 'It is good, but not yet: iat or nbf lies in the future.' },
  IGNORED: { tone: 'warn', text: 'The profile of this service takes no bearer tokens, so that nobody looked at it.' },
  UNCLEAR: { tone: 'warn', text: 'The answer says nothing of the token.' },
}

/** Derives the verdict from the answer. */
export function verdictOf({ status, text }: { readonly status: number; readonly text: string }): TokenVerdict {
  if (status === 200) return 'VALID'
  const tokenStatus = TOKEN_STATUSES.find((known) => text.includes(`"tokenStatus":"${known}"`))
  return tokenStatus ?? (status === 401 ? 'IGNORED' : 'UNCLEAR')
}
