/** What the members of a header mean (RFC 7515 section 4.1, RFC 7519 section 5). */
export const HEADER_MEANINGS: Readonly<Record<string, string>> = {
  alg: 'the algorithm of the signature',
  typ: 'the type, JWT if given',
  kid: 'the key that signed it',
  crit: 'extensions that a reader has to know',
}

/** What the claims mean (RFC 7519 section 4.1, and our own `role` and `uid`). */
export const CLAIM_MEANINGS: Readonly<Record<string, string>> = {
  sub: 'the user',
  uid: 'the id of the account',
  role: 'the role',
  iat: 'issued at',
  exp: 'the end',
  nbf: 'not before',
  iss: 'the issuer',
  aud: 'the audience',
  jti: 'the id of the token',
}

/** The claims that are times, in seconds since 1970 (RFC 7519 section 2, NumericDate). */
export const TIME_CLAIMS: readonly string[] = ['iat', 'exp', 'nbf']
