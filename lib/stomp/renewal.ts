import type { Principal } from '../auth/principal.ts'
import { bufferOf } from '../runtime/text.ts'
import type { Frame } from './codec/frame.ts'
import { malformed } from './codec/frame.ts'

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
