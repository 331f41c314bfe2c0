import type { VerifiedToken } from '../auth/jwt.ts'
import { fail } from '../errors.ts'
import { type Frame, frame } from './codec/frame.ts'
import { ProtocolError } from './codec/protocol-error.ts'
import { negotiateVersion, type Version } from './codec/versions.ts'
import { type HeartBeat, negotiateHeartBeat } from './heart-beat.ts'

interface ConnectRequest {
  readonly version: Version
  readonly heartBeat: HeartBeat
  readonly token: string
}

const OPENING: readonly string[] = ['CONNECT', 'STOMP']

/**
 * The first frame of a session: the version, the heart-beat and the token, in this order.
 * @param ownHeartBeat milliseconds
 * @throws ServiceError `AUTHENTICATION_REQUIRED` for another frame or one without a token; ProtocolError
 */
export function readConnect({ command, headers }: Frame, ownHeartBeat: number): ConnectRequest {
  if (!OPENING.includes(command)) throw fail('AUTHENTICATION_REQUIRED')
  const version = negotiateVersion(headers.get('accept-version'))
  if (version === undefined) throw new ProtocolError('version', 'accept-version must name one of 1.0, 1.1, 1.2')
  const heartBeat = negotiateHeartBeat(headers.get('heart-beat'), ownHeartBeat)
  const token = bearerToken(headers) ?? headers.get('passcode')
  if (token === undefined) throw fail('AUTHENTICATION_REQUIRED')
  return { version, heartBeat, token }
}

interface Connected {
  readonly version: Version
  readonly ownHeartBeat: number
  readonly session: string
  readonly token: VerifiedToken
}

export function connectedFrame({ version, ownHeartBeat, session, token }: Connected): Frame {
  return frame('CONNECTED', {
    version,
    'heart-beat': `${ownHeartBeat},${ownHeartBeat}`,
    session,
    server: 'gatehouse',
    'user-name': token.username,
  })
}

/** The name of the header is taken in any case; another scheme counts as no token. */
function bearerToken(headers: ReadonlyMap<string, string>): string | undefined {
  const [, authorization = ''] = Array.from(headers).find(([name]) => name.toLowerCase() === 'authorization') ?? []
  const [, scheme = '', token] = /^ *(\S*) *(.*)$/s.exec(authorization) ?? []
  return scheme.toLowerCase() === 'bearer' ? token : undefined
}
