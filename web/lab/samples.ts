import { SAMPLE_REQUESTS } from '../../lib/contract/gen/endpoints.ts'
import type { Route } from '../../lib/contract/route.ts'
import { plainRequest, type SampleRequest } from '../../lib/contract/route.ts'
import { type Call, formBody, JSON_HEADERS } from '../call.ts'

/** A sample request, ready to send. */
export interface SampleCall extends SampleRequest {
  readonly content: Pick<Call, 'headers' | 'body'>
}

/** The user of the page. */
interface PageUser {
  /** The credentials for the login endpoint, and whether the profile asks their store. */
  readonly login: { readonly username: string; readonly password: string; readonly isKnown: boolean } | undefined
  /** Whether the session of the page began with an identity provider. */
  readonly isFromProvider: boolean
}

/** The samples that depend on the user. Without credentials to log in with, the login is left incomplete. */
const FITTED: Readonly<Record<string, (pageUser: PageUser) => SampleCall>> = {
  authLogin: ({ login }) => {
    if (!login) return { content: formBody({}), granted: 400 }
    const { username, password, isKnown } = login
    return { content: formBody({ username, password }), granted: isKnown ? 200 : 401 }
  },
  oauth2Steps: ({ isFromProvider }) => ({ content: { headers: JSON_HEADERS }, granted: isFromProvider ? 200 : 404 }),
}

/** The page's request to an endpoint; undefined if the endpoint is not part of the API. */
export function sampleOf(name: string, route: Route, pageUser: PageUser): SampleCall | undefined {
  const samples: Readonly<Record<string, SampleRequest | undefined>> = SAMPLE_REQUESTS
  const sample = samples[name] ?? plainRequest(route)
  return FITTED[name]?.(pageUser) ?? (sample && { ...sample, content: contentOf(sample) })
}

function contentOf({ json }: SampleRequest): SampleCall['content'] {
  if (json === undefined) return { headers: JSON_HEADERS }
  return { headers: { ...JSON_HEADERS, 'content-type': 'application/json' }, body: JSON.stringify(json) }
}
