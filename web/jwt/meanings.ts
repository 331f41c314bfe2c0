/** What the members of a header mean (RFC 7515 section 4.1, RFC 7519 section 5). */
export const HEADER_MEANINGS: Readonly<Record<string, string>> = {
  alg: 'How it is signed. Only HS512, HMAC with SHA-512, is taken here.',
  typ: 'What it is: JWT, if it says so at all.',
  kid: 'Which key of the ring signed it. Without it every key is tried.',
  crit: 'Extensions that a reader has to understand. None is understood here.',
}

/** What the claims mean (RFC 7519 section 4.1, and our own `role`). */
export const CLAIM_MEANINGS: Readonly<Record<string, string>> = {
  sub: 'Whose token it is: the user name. Required.',
  role: 'The role of that user, ROLE_ADMIN or ROLE_USER. Required.',
  iat: 'When it was issued. Required, and not in the future.',
  exp: 'When it ends. Required; from then on it is refused.',
  nbf: 'Before when it does not count yet.',
  iss: 'Who issued it: gatehouse, if it says so at all.',
  aud: 'For whom it is: gatehouse, if it says so at all.',
  jti: 'Its own id, so that two tokens of one second differ.',
}

/** The claims that are times, in seconds since 1970 (RFC 7519 section 2, NumericDate). */
export const TIME_CLAIMS: readonly string[] = ['iat', 'exp', 'nbf']
