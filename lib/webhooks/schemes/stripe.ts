import { readSeconds } from './encoding.ts'
import type { SignatureScheme } from './scheme.ts'
import { timestamped } from './timestamped.ts'

/** Spec part 5, webhook rule 3; docs.stripe.com/webhooks "Verify webhook signatures manually". */
export const stripe: SignatureScheme = timestamped({
  header: 'stripe-signature',
  separator: ',',
  names: { time: 't', signature: 'v1' },
  joint: '.',
  readTime: readSeconds,
  toleranceSeconds: 300,
  refusals: { signature: 'SIGNATURE_REJECTED', timestamp: 'SIGNATURE_REJECTED' },
})
