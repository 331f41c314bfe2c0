import * as z from 'zod/mini'
import { type IdentityProvider, LoginRefused } from '../../auth/oauth2/identity-provider.ts'
import { below, type OAuthClient, resource } from './exchange.ts'
import { type OAuthEndpoints, plainProvider } from './plain.ts'

const object = z.record(z.string(), z.unknown())

/** The user chooses the e-mail address of `/user`; the list of addresses shows which is verified. */
export function githubProvider(client: OAuthClient, endpoints: OAuthEndpoints): IdentityProvider {
  const issuer = new URL('.', endpoints.authorization).href.replace(/\/$/, '')
  const [userUrl, emailsUrl] = [below(endpoints.api, '/user'), below(endpoints.api, '/user/emails')]
  const resources = { [userUrl.href]: 'user', [emailsUrl.href]: 'emails' } as const
  return plainProvider(client, endpoints, issuer, resources, async (configuration, accessToken) => {
    const [user, emails] = await Promise.all([
      resource(configuration, accessToken, userUrl),
      resource(configuration, accessToken, emailsUrl).catch(noneGranted),
    ])
    return { ...object.parse(user), emails }
  })
}

/** The user may withhold the e-mail scope. */
function noneGranted(error: unknown): readonly never[] {
  if (error instanceof LoginRefused && NOT_GRANTED.includes(error.code)) return []
  throw error
}

const NOT_GRANTED: readonly (string | undefined)[] = ['HTTP_403', 'HTTP_404']
