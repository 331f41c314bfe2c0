import type { Route } from '../../lib/endpoints/route.ts'
import { plainSample, type Sample } from '../../lib/endpoints/sample.ts'
import { SAMPLES } from '../../lib/endpoints/samples.ts'
import { type Call, formBody, JSON_HEADERS } from '../call.ts'

/** A sample, as it is sent. */
export interface SampleCall extends Sample {
  readonly content: Pick<Call, 'headers' | 'body'>
}

/** Who looks at the playground. */
interface Visitor {
  /** Somebody with a password, for the endpoint that logs in. */
  readonly login: { readonly username: string; readonly password: string } | undefined
  /** Whether the session of the page began with an identity provider. */
  readonly isFromProvider: boolean
}

/** The samples that depend on the visitor. Without somebody to log in as, the login is left incomplete. */
const FITTED: Readonly<Record<string, (visitor: Visitor) => SampleCall>> = {
  authLogin: ({ login }) =>
    login ? { content: formBody({ ...login }), granted: 200 } : { content: formBody({}), granted: 400 },
  oauth2Steps: ({ isFromProvider }) => ({ content: { headers: JSON_HEADERS }, granted: isFromProvider ? 200 : 404 }),
}

/** The request of the playground to an endpoint; none to one that is not of the API. */
export function sampleOf(name: string, route: Route, visitor: Visitor): SampleCall | undefined {
  const samples: Readonly<Record<string, Sample | undefined>> = SAMPLES
  const sample = samples[name] ?? plainSample(route)
  return FITTED[name]?.(visitor) ?? (sample && { ...sample, content: contentOf(sample) })
}

function contentOf({ json }: Sample): SampleCall['content'] {
  if (json === undefined) return { headers: JSON_HEADERS }
  return { headers: { ...JSON_HEADERS, 'content-type': 'application/json' }, body: JSON.stringify(json) }
}
