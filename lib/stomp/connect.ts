import { Buffer } from 'node:buffer'
import { KEY_HEADER, withoutBlanks } from '../auth/authorization.ts'
import { type LiveCredentials, liveCredentials } from '../auth/live/gate.ts'
import type { Principal } from '../auth/principal.ts'
import { fail } from '../errors.ts'
import { type BusMessage, OWN_NOTICES } from '../messages/message.ts'
import type { Cancel, Timers } from '../runtime/async.ts'
import { bufferOf } from '../runtime/text.ts'
import type { Clock } from '../runtime/time.ts'
import type { Deliver } from './broker.ts'
import { type Frame, frame, malformed, negotiateVersion, ProtocolError, VERSIONS, type Version } from './codec/frame.ts'
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
 * @throws ServiceError `AUTHENTICATION_REQUIRED` for another frame, as {@link liveCredentials} says for one without
 * credentials or with those of two kinds; ProtocolError
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
  const passcode = headers.get('passcode')
  return liveCredentials({
    authorizations: valuesOf(headers, 'authorization'),
    keys: valuesOf(headers, KEY_HEADER),
    passcode: passcode && withoutBlanks(passcode),
    headers: Object.fromEntries(Array.from(headers, ([name, value]) => [name.toLowerCase(), value])),
  })
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

/** The fresh token in a SEND. @throws ProtocolError inside of a transaction */
export function tokenIn({ headers, body }: Frame): string {
  if (headers.has('transaction')) throw malformed('a token is taken outside of transactions only')
  return bufferOf(body).toString()
}

/**
 * The owner of a session that was sent a fresh token: as the token says that ends later.
 * @throws ProtocolError for a token of another account, or with another role: what was subscribed to need not be open to it
 */
export function renewed(owner: Principal, fresh: Principal): Principal {
  if (holderOf(owner) !== holderOf(fresh)) {
    throw malformed('the token must be of the account and the role that opened the session')
  }
  return endOf(fresh) > endOf(owner) ? fresh : owner
}

function holderOf({ username, uid, roles }: Principal): string {
  return JSON.stringify([username, uid, roles])
}

function endOf({ tokenExpiresAt }: Principal): number {
  return tokenExpiresAt?.getTime() ?? Number.POSITIVE_INFINITY
}

/** How long before the end of its token a session is notified, in milliseconds. */
const AHEAD_MS = 60_000

/** The notices that the server sends a session about the session itself. */
export interface SessionNotices {
  /** Schedules the notice about the end of the token. @returns the function that cancels it */
  expectEnd(at: Date): Cancel
  subscribe(deliver: Deliver): Cancel
}

export function createNotices(clock: Clock, timers: Timers): SessionNotices {
  const listeners = new Set<Deliver>()
  let latest: BusMessage | undefined

  function send(message: BusMessage): void {
    latest = message
    for (const deliver of listeners) deliver(message)
  }

  return {
    expectEnd(at) {
      const cancel = timers.after(at.getTime() - AHEAD_MS - clock.now().getTime(), () => send(expiring(at)))
      return () => {
        latest = undefined
        cancel()
      }
    },
    subscribe(deliver) {
      // A function of its own, so that two equal subscriptions are separate.
      const own: Deliver = (message) => deliver(message)
      listeners.add(own)
      // After the answer to the SUBSCRIBE.
      const cancel = timers.after(0, () => latest && deliver(latest))
      return () => {
        listeners.delete(own)
        cancel()
      }
    },
  }
}

function expiring(at: Date): BusMessage {
  return {
    destination: OWN_NOTICES,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ type: 'token-expiring', expiresAt: at.toISOString() })),
  }
}
