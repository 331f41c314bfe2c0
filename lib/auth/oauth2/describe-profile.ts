import type { Principal } from '../principal.ts'

/**
 * The answer of `GET /api/oauth2/profile`: the provider's attributes; only the name after a login without a provider.
 */
export function describeProfile({ username, roles, oauth2 }: Principal) {
  const greeting = { message: 'OAuth2 Authentication Demo', user: username }
  if (!oauth2) return { ...greeting, authorities: roles.map((authority) => ({ authority })) }
  const { provider, email, name, picture, attributes } = oauth2
  return { ...greeting, provider, email, name, picture, attributes: byName(attributes) }
}

/** Stored maps have no order; an answer sorts them by name. */
function byName(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(byName)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, byName(member)]))
}
