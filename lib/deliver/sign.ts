import type { Buffer } from 'node:buffer'
import { HMAC_SHA256_WHSEC, macOf } from '../webhooks/schemes/methods.ts'
import { goodSecrets, type SharedSecret } from '../webhooks/verify.ts'
import type { DeliveredEvent } from './delivery.ts'

/** The id of a message, the same for every try and replay. It has no dot, because in the signed text a dot ends it. */
export function messageId({ id }: Pick<DeliveredEvent, 'id'>): string {
  return `gh_${id}`
}

/**
 * The headers of Standard Webhooks 1.0.0 ("Webhook metadata", "Signature scheme"). Each secret that is good at the time
 * of the try adds a signature. So a receiver may know the old one or the new one while a secret is replaced.
 * @param secrets base64, with or without `whsec_`
 * @returns undefined if no readable secret is good at that time
 */
export function signatureHeaders(
  event: Pick<DeliveredEvent, 'id'> & { readonly payload: Buffer },
  secrets: readonly SharedSecret[],
  at: Date,
): Readonly<Record<string, string>> | undefined {
  const id = messageId(event)
  const timestamp = `${Math.floor(at.getTime() / 1000)}`
  const parts = [`${id}.${timestamp}.`, event.payload]
  const signatures = goodSecrets(secrets, at).flatMap(({ value }) => {
    const key = HMAC_SHA256_WHSEC.readKey(value)
    return key ? [`v1,${macOf('sha256', key.material, parts).toString('base64')}`] : []
  })
  if (signatures.length === 0) return undefined
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
