import { Buffer } from 'node:buffer'
import { readableByPage } from '../../lib/http/cors.ts'
import { errorReply } from '../../lib/http/error-body.ts'
import type { HttpEvent, Reply } from '../../lib/http/message.ts'
import { securityHeaders } from '../../lib/http/security-headers.ts'
import type { Home } from '../guard.ts'
import { headerIn, type LabAnswer, type LabRequest, withHeader } from './exchange.ts'
import type { PlayedRefusal } from './plays.ts'

/** Writes answers with the headers that every answer of the service has. */
export function labAnswers({ baseUrl, trustedOrigins }: Home) {
  const secure = securityHeaders(baseUrl, trustedOrigins.length > 0 ? 'Origin' : undefined)

  function answer(reply: Reply, request: Pick<LabRequest, 'headers'>): LabAnswer {
    const event = { headers: { origin: headerIn(request.headers, 'origin') }, rawPath: '/lab' } as unknown as HttpEvent
    const { statusCode, headers, body = '' } = readableByPage(secure(reply), event, trustedOrigins)
    return { status: statusCode, headers: Object.entries(headers), body: Buffer.from(body) }
  }

  /** A refusal as the service gives it. @param path of the lab */
  function refusal(
    { error, retryAfter }: PlayedRefusal,
    request: Pick<LabRequest, 'headers'>,
    path: string,
    now: Date,
  ) {
    const given = answer(errorReply('api', error, { path, now }), request)
    if (retryAfter === undefined) return given
    return { ...given, headers: withHeader(given.headers, 'retry-after', String(retryAfter)) }
  }

  return { answer, refusal }
}

const ALLOWED = 'access-control-allow-headers'

/** The answer to a preflight, which lets a page name itself as a client, too. */
export function allowingName(answer: LabAnswer): LabAnswer {
  const allowed = headerIn(answer.headers, ALLOWED)
  if (allowed === undefined) return answer
  return { ...answer, headers: withHeader(answer.headers, ALLOWED, `${allowed}, X-Client-Name`) }
}
