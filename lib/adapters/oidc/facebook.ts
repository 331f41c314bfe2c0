import * as z from 'zod/mini'
import type { IdentityProvider } from '../../auth/oauth2/identity-provider.ts'
import { below, type OAuthClient, resource } from './exchange.ts'
import { type OAuthEndpoints, plainProvider } from './plain.ts'

const object = z.record(z.string(), z.unknown())

/** The Graph API answers only with the fields that a request names. */
const FIELDS = 'id,name,email,picture'

export function facebookProvider(client: OAuthClient, endpoints: OAuthEndpoints): IdentityProvider {
  const me = below(endpoints.api, '/me')
  const resources = { [me.href]: 'user' } as const
  const { origin } = endpoints.authorization
  return plainProvider(client, endpoints, origin, resources, async (configuration, accessToken) =>
    object.parse(await resource(configuration, accessToken, new URL(`?fields=${FIELDS}`, me))),
  )
}
