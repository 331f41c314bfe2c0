import type { IncomingMessage } from 'node:http'
import { isOriginAllowed } from '../auth/csrf.ts'
import { PATH } from './refusal.ts'

/** The sub-protocols of STOMP over WebSocket, best first. */
const SUB_PROTOCOLS = ['v12.stomp', 'v11.stomp', 'v10.stomp']

export interface UpgradeParts {
  readonly baseUrl: URL
  readonly trustedOrigins: readonly string[]
}

/** The best sub-protocol that was offered; a client that offers none, or others, gets none. */
export function subProtocolOf(offered: ReadonlySet<string>): string | false {
  return SUB_PROTOCOLS.find((name) => offered.has(name)) ?? false
}

interface Obstacle {
  readonly status: number
  readonly stands: (request: IncomingMessage, parts: UpgradeParts, isFull: boolean) => boolean
}

/** What keeps a connection from being opened, in this order. Credentials do not: they come in the CONNECT frame. */
const OBSTACLES: readonly Obstacle[] = [
  { status: 404, stands: ({ url = '' }) => url.split('?', 1)[0] !== PATH },
  {
    status: 403,
    stands: ({ headers }, { baseUrl, trustedOrigins }) =>
      !isOriginAllowed({ secFetchSite: undefined, origin: headers.origin }, baseUrl.origin, trustedOrigins),
  },
  { status: 503, stands: (_request, _parts, isFull) => isFull },
]

/** The HTTP status of a connection that is not opened; undefined for one that is. */
export function obstacleTo(request: IncomingMessage, parts: UpgradeParts, isFull: boolean): number | undefined {
  return OBSTACLES.find(({ stands }) => stands(request, parts, isFull))?.status
}
