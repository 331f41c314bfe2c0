import type { Principal } from '../principal.ts'

/** The answer of `GET /api/oauth2/profile`: what the provider told, or just who it is after a login without one. */
export function describeProfile({ username, roles, oauth2 }: Principal) {
  const greeting = { message: 'OAuth2 Authentication Demo', user: username }
  if (!oauth2) return { ...greeting, authorities: roles.map((authority) => ({ authority })) }
  const { provider, email, name, picture, attributes } = oauth2
  return { ...greeting, provider, email, name, picture, attributes }
}
