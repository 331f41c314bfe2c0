import { withoutBlanks } from '../auth/authorization.ts'
import { KEY_HEADER } from '../auth/keys/presented-key.ts'
import { type LiveCredentials, liveCredentials } from '../auth/live/gate.ts'
import { fail } from '../errors.ts'
import { type Frame, frame, negotiateVersion, ProtocolError, VERSIONS, type Version } from './codec/frame.ts'
import { type HeartBeat, negotiateHeartBeat } from './heart-beat.ts'

interface ConnectRequest {
  readonly version: Version
  readonly heartBeat: HeartBeat
  readonly credentials: LiveCredentials
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
  if (version === undefined)
    throw new ProtocolError('version', `Supported protocol versions are ${VERSIONS.toReversed().join(' ')}`)
  const heartBeat = negotiateHeartBeat(headers.get('heart-beat'), ownHeartBeat)
  return { version, heartBeat, credentials: credentialsIn(headers) }
}

function credentialsIn(headers: Headers): LiveCredentials {
  const [authorization] = valuesOf(headers, 'authorization')
  const passcode = headers.get('passcode')
  const credentials = liveCredentials({
    authorization,
    keys: valuesOf(headers, KEY_HEADER),
    passcode: passcode && withoutBlanks(passcode),
  })
  if (!credentials) throw fail('AUTHENTICATION_REQUIRED')
  return credentials
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
