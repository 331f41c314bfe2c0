import type { Networks } from '../runtime/address.ts'
import { clientAddress } from '../runtime/client-address.ts'
import type { HttpEvent } from './message.ts'

export interface Trust {
  /** Proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: Networks
}

/** The address of the caller, as the gateway saw it or a trusted proxy in front of it. */
export function addressOf({ headers, requestContext }: HttpEvent, { trustedProxies }: Trust): string {
  return clientAddress(requestContext.http.sourceIp, headers['x-forwarded-for'], trustedProxies)
}
