import { createHash, randomBytes } from 'node:crypto'
import { prefersHtml } from '../../lib/http/error-body.ts'
import { type DemoIdentity, identitiesOf, type RegisteredClient } from './client.ts'
import {
  chosenOf,
  foreignRefusal,
  found,
  jsonResponse,
  type ProviderResponse,
  providerLoginPage,
  type Request,
} from './pages.ts'

interface Code {
  readonly identity: DemoIdentity
  readonly scope: string
  readonly challenge: string | null
  readonly expiresAt: number
}

interface Grant {
  readonly identity: DemoIdentity
  readonly scope: string
}

/** What all providers without OpenID Connect share: a login page, codes, and tokens for codes. */
export type AuthorizationServer = ReturnType<typeof authorizationServer>

const MISMATCH = 'This client is unknown, or it may not send users to that address.'

const CODE_LIFETIME = 600_000

export function authorizationServer(store: string, client: RegisteredClient) {
  const identities = identitiesOf(store)
  const codes = new Map<string, Code>()
  const tokens = new Map<string, Grant>()

  function issueCode(identity: DemoIdentity, parameters: URLSearchParams): string {
    const code = randomBytes(10).toString('hex')
    const scope = parameters.get('scope') ?? ''
    const challenge = parameters.get('code_challenge')
    codes.set(code, { identity, scope, challenge, expiresAt: Date.now() + CODE_LIFETIME })
    return code
  }

  /** A refusal; a browser is shown a page in place of JSON. */
  function refusalTo({ accept, host }: Request, refusal: ProviderResponse, reason: string): ProviderResponse {
    if (!prefersHtml(accept)) return refusal
    return foreignRefusal({ provider: store, host, client }, refusal.status, reason)
  }

  return {
    /** The authorization endpoint. */
    authorize(request: Request): ProviderResponse {
      const { method, url, form, host } = request
      const parameters = url.searchParams
      const isOurs = parameters.get('client_id') === client.id && parameters.get('redirect_uri') === client.redirectUri
      if (!isOurs) return refusalTo(request, jsonResponse({ error: 'redirect_uri_mismatch' }, 400), MISMATCH)
      const scope = parameters.get('scope') ?? ''
      if (method !== 'POST') return providerLoginPage({ provider: store, host, client }, { identities, scope })
      const back = new URL(client.redirectUri)
      const identity = chosenOf(form, identities)
      if (identity) back.searchParams.set('code', issueCode(identity, parameters))
      else back.searchParams.set('error', 'access_denied')
      back.searchParams.set('state', parameters.get('state') ?? '')
      return found(back)
    },
    refusalTo,
    /**
     * Exchanges the code of a token request for a token; a code is valid once. Otherwise says whether the client or the
     * code is wrong.
     */
    redeem(parameters: URLSearchParams): { readonly token: string; readonly scope: string } | 'client' | 'code' {
      const isClient = parameters.get('client_id') === client.id && parameters.get('client_secret') === client.secret
      if (!isClient) return 'client'
      const given = parameters.get('code') ?? ''
      const code = codes.get(given)
      codes.delete(given)
      const isGood =
        code !== undefined &&
        code.expiresAt > Date.now() &&
        parameters.get('redirect_uri') === client.redirectUri &&
        isVerified(code.challenge, parameters.get('code_verifier'))
      if (!isGood) return 'code'
      const token = randomBytes(20).toString('hex')
      tokens.set(token, { identity: code.identity, scope: code.scope })
      return { token, scope: code.scope }
    },
    grantOf: (token: string) => tokens.get(token),
  }
}

/** RFC 7636 section 4.6. */
function isVerified(challenge: string | null, verifier: string | null): boolean {
  if (challenge === null) return true
  return (
    createHash('sha256')
      .update(verifier ?? '')
      .digest('base64url') === challenge
  )
}
