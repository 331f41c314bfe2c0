import type { IncomingMessage } from 'node:http'
import { isOriginAllowed } from '../auth/csrf.ts'
import { PATH } from './refusal.ts'

/** The sub-protocols of STOMP over WebSocket, best first. */
const SUB_PROTOCOLS = ['v12.stomp', 'v11.stomp']

export interface UpgradeParts {
  readonly baseUrl: URL
  readonly trustedOrigins: readonly string[]
}

/** The best sub-protocol that was offered; a client that offers none, or others, gets none. */
export function subProtocolOf(offered: ReadonlySet<string>): string | false {
  return SUB_PROTOCOLS.find((name) => offered.has(name)) ?? false
}

export interface Obstacle {
  /** Of the answer. */
  readonly status: number
  /** For the client and the log. */
  readonly reason: string
}

interface Rule extends Obstacle {
  readonly stands: (request: IncomingMessage, parts: UpgradeParts, isDraining: boolean) => boolean
}

/**
 * The reasons to refuse a connection, in this order. Credentials are not among them: the CONNECT frame contains them.
 */
const RULES: readonly Rule[] = [
  { status: 404, reason: `the WebSocket is at ${PATH}`, stands: ({ url = '' }) => url.split('?', 1)[0] !== PATH },
  {
    status: 403,
    reason: 'the Origin is neither that of BASE_URL, nor of TRUSTED_ORIGINS, nor of the host that is asked',
    stands: ({ headers: { origin, host } }, { baseUrl, trustedOrigins }) =>
      !isOriginAllowed({ secFetchSite: undefined, origin }, baseUrl.origin, trustedOrigins) && !isOf(host, origin),
  },
  { status: 503, reason: 'the server is going', stands: (_request, _parts, isDraining) => isDraining },
]

/** What keeps a WebSocket from being opened; undefined if nothing does. */
export function obstacleTo(request: IncomingMessage, parts: UpgradeParts, isDraining: boolean): Obstacle | undefined {
  return RULES.find(({ stands }) => stands(request, parts, isDraining))
}

/**
 * Whether an origin is that of the host that is asked, as clients that are no browsers make one up. A page that the host did
 * not serve gains nothing: no cookie counts here.
 */
function isOf(host: string | undefined, origin = ''): boolean {
  const url = URL.parse(origin)
  return url !== null && url.host !== '' && url.host === URL.parse(`${url.protocol}//${host}`)?.host
}
