import { bearerTokenIn } from '../../lib/auth/authorization.ts'
import { KEY_HEADER } from '../../lib/auth/keys/presented-key.ts'
import { SESSION_COOKIE } from '../../lib/http/cookies.ts'
import { type Credential, secretCredential } from './call.ts'
import { headerIn, type LabRequest, withHeader } from './exchange.ts'
import { isSameCredential } from './judgment.ts'

/** The request with another bearer token, if it has one. */
export async function withBearer(request: LabRequest, change: (token: string) => Promise<string>): Promise<LabRequest> {
  const token = bearerTokenIn(headerIn(request.headers, 'authorization') ?? '')
  if (token === undefined) return request
  return { ...request, headers: withHeader(request.headers, 'authorization', `Bearer ${await change(token)}`) }
}

/** The request without a session that has ended. */
export function withoutSession(request: LabRequest, ended: Credential | undefined): LabRequest {
  const id = sessionIn(request)
  if (id === undefined || ended === undefined || !isSameCredential(secretCredential('session', id), ended))
    return request
  const others = cookiesIn(request).filter((cookie) => !isSession(cookie))
  return { ...request, headers: withHeader(request.headers, 'cookie', others.join('; ') || undefined) }
}

export function withoutCredentials(request: LabRequest): LabRequest {
  const names = ['authorization', 'cookie', KEY_HEADER]
  return { ...request, headers: request.headers.filter(([name]) => !names.includes(name)) }
}

/** The id of the session that a request shows. */
export function sessionIn(request: LabRequest): string | undefined {
  return cookiesIn(request)
    .find(isSession)
    ?.slice(SESSION_COOKIE.length + 1)
}

function cookiesIn({ headers }: LabRequest): readonly string[] {
  return headers.filter(([name]) => name === 'cookie').flatMap(([, value]) => value.split(/; */))
}

function isSession(cookie: string): boolean {
  return cookie.startsWith(`${SESSION_COOKIE}=`)
}
