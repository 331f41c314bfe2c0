import { bearerTokenIn, withoutBlanks } from '../auth/authorization.ts'
import { KEY_HEADER, presentedKey } from '../auth/keys/presented-key.ts'
import { fail } from '../errors.ts'
import { type Frame, frame } from './codec/frame.ts'
import { ProtocolError } from './codec/protocol-error.ts'
import { negotiateVersion, type Version } from './codec/versions.ts'
import { type HeartBeat, negotiateHeartBeat } from './heart-beat.ts'

/** A token, or an API key. */
export type ConnectCredentials = { readonly token: string } | { readonly key: string }

interface ConnectRequest {
  readonly version: Version
  readonly heartBeat: HeartBeat
  readonly credentials: ConnectCredentials
}

const OPENING: readonly string[] = ['CONNECT', 'STOMP']

/**
 * The first frame of a session: the version, the heart-beat and the credentials, in this order.
 * @param ownHeartBeat milliseconds
 * @throws ServiceError `AUTHENTICATION_REQUIRED` for another frame or one without credentials, `VALIDATION_FAILED` for
 * those of two kinds; ProtocolError
 */
export function readConnect({ command, headers }: Frame, ownHeartBeat: number): ConnectRequest {
  if (!OPENING.includes(command)) throw fail('AUTHENTICATION_REQUIRED')
  const version = negotiateVersion(headers.get('accept-version'))
  if (version === undefined) throw new ProtocolError('version', 'accept-version must name one of 1.0, 1.1, 1.2')
  const heartBeat = negotiateHeartBeat(headers.get('heart-beat'), ownHeartBeat)
  return { version, heartBeat, credentials: credentialsIn(headers) }
}

/** Beside an `Authorization` the passcode counts for nothing. */
function credentialsIn(headers: Headers): ConnectCredentials {
  const [authorization] = valuesOf(headers, 'authorization')
  const passcode = headers.get('passcode')
  const isBesideOthers = authorization !== undefined || passcode !== undefined
  const key = presentedKey(valuesOf(headers, KEY_HEADER), isBesideOthers)
  if (key !== undefined) return { key }
  const token = authorization === undefined ? passcode && withoutBlanks(passcode) : bearerTokenIn(authorization)
  if (token === undefined) throw fail('AUTHENTICATION_REQUIRED')
  return { token }
}

interface Connected {
  readonly version: Version
  readonly ownHeartBeat: number
  readonly session: string
  readonly username: string
}

export function connectedFrame({ version, ownHeartBeat, session, username }: Connected): Frame {
  return frame('CONNECTED', {
    version,
    'heart-beat': `${ownHeartBeat},${ownHeartBeat}`,
    session,
    server: 'gatehouse',
    'user-name': username,
  })
}

type Headers = ReadonlyMap<string, string>

/** The name of the header is taken in any case. */
function valuesOf(headers: Headers, wanted: string): readonly string[] {
  return Array.from(headers).flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value] : []))
}
