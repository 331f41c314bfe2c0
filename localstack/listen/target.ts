import type { LookupFunction } from 'node:net'
import { ClosedAddress, demandReachable, type NetworkReach } from '../../lib/adapters/http/guard.ts'
import { addressOption, UsageError } from '../command.ts'
import { isLoopback } from './loopback.ts'

/** Where events are forwarded to. */
export interface ForwardTarget {
  readonly url: URL
  readonly reach: NetworkReach
  /** Of loopback names, whatever a name server says of them. */
  readonly resolve: LookupFunction | undefined
}

/** Payloads hold data of customers: they leave this machine only if that is wanted, and then encrypted. */
export function targetOption(text: string, isRemoteAllowed: boolean): ForwardTarget {
  const url = addressOption(text, '--forward-to')
  const isHere = isLoopback(url)
  if (!isHere && !isRemoteAllowed)
    throw new UsageError('--forward-to is not on this machine: --allow-remote lets the payloads go there')
  if (!isHere && url.protocol !== 'https:')
    throw new UsageError('--forward-to must be https: payloads do not leave this machine in the clear')
  const reach = { isPrivate: !isHere, isLocal: isHere }
  demandOpen(url, reach)
  return { url, reach, resolve: isHere ? loopbackLookup : undefined }
}

/** @throws UsageError */
function demandOpen(url: URL, reach: NetworkReach): void {
  try {
    demandReachable(url, reach)
  } catch (error) {
    if (error instanceof ClosedAddress) throw new UsageError(`--forward-to: ${error.message}`, { cause: error })
    throw error
  }
}

/** Both addresses, as servers for development listen on either. */
const loopbackLookup: LookupFunction = (_, { all }, done) => {
  if (!all) return done(null, '127.0.0.1', 4)
  done(null, [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ])
}
