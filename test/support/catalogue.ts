const range = (letter: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${letter}${String(index + 1).padStart(2, '0')}`)

/** The rows of the attack catalogue: HTTP, Basic, LDAP, JWT, sessions, OAuth2, webhooks, queue and store, gRPC, STOMP. */
export const CATALOGUE: readonly string[] = [
  ...range('H', 25),
  ...range('B', 7),
  ...range('L', 7),
  ...range('J', 11),
  ...range('S', 7),
  ...range('O', 9),
  ...range('W', 12),
  ...range('Q', 10),
  ...range('G', 5),
  ...range('T', 6),
]
