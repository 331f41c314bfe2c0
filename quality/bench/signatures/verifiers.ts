import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { verify as verifyGithub } from '@octokit/webhooks-methods'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Stripe } from 'stripe'
import { Webhook as SvixWebhook } from 'svix'
import { provider as github } from '../../../lib/webhooks/providers/github.ts'
import { provider as stripe } from '../../../lib/webhooks/providers/stripe.ts'
import type { SignatureScheme } from '../../../lib/webhooks/schemes/scheme.ts'
import { standardWebhooks } from '../../../lib/webhooks/schemes/standard.ts'
import { verify } from '../../../lib/webhooks/verify.ts'
import { type Delivery, type Scheme, SECRET } from './deliveries.ts'

/** Judges one delivery as often as it is asked; throws at a signature that does not hold, or resolves to false. */
export type Judge = () => unknown

/** Whatever may be made before the delivery comes is made before. */
type Verifier = (given: Delivery) => Judge

const SECRETS = [{ value: SECRET }]

/** As `admit` of lib/webhooks asks it. */
function gatehouse(scheme: SignatureScheme): Verifier {
  return ({ headers, body }) => {
    const call = { method: 'POST', url: 'https://api.example/webhooks/x', headers, body }
    return () => verify(call, { scheme, secrets: SECRETS, now: new Date(), toleranceSeconds: undefined }).ok
  }
}

/** One HMAC over the bytes as they are and one comparison: the headers are read before, and the key. */
const bare: Verifier = ({ key, prefix, body, signature }) => {
  const secret = createSecretKey(key)
  return () => timingSafeEqual(createHmac('sha256', secret).update(prefix).update(body).digest(), signature)
}

const signatureOf = ({ headers }: Delivery) => headers['stripe-signature'] ?? ''

/** By the scheme and who verifies it. A library gets the bytes, as its documentation says, or the text if it wants one. */
export const VERIFIERS: Readonly<Record<Scheme, Readonly<Record<string, Verifier>>>> = {
  stripe: {
    gatehouse: gatehouse(stripe.scheme),
    'bare HMAC': bare,
    'stripe constructEvent': (given) => () => Stripe.webhooks.constructEvent(given.body, signatureOf(given), SECRET),
    'stripe constructEvent, of text': (given) => {
      const text = given.body.toString()
      return () => Stripe.webhooks.constructEvent(text, signatureOf(given), SECRET)
    },
    'stripe verifyHeader': (given) => () =>
      Stripe.webhooks.signature?.verifyHeader(given.body, signatureOf(given), SECRET),
    'stripe verifyHeader, of text': (given) => {
      const text = given.body.toString()
      return () => Stripe.webhooks.signature?.verifyHeader(text, signatureOf(given), SECRET)
    },
  },
  github: {
    gatehouse: gatehouse(github.scheme),
    'bare HMAC': bare,
    '@octokit/webhooks-methods': ({ headers, body }) => {
      const text = body.toString()
      return () => verifyGithub(SECRET, text, headers['x-hub-signature-256'] ?? '')
    },
  },
  'standard-webhooks': {
    gatehouse: gatehouse(standardWebhooks('webhook')),
    'bare HMAC': bare,
    svix: ofStandard(new SvixWebhook(SECRET)),
    standardwebhooks: ofStandard(new StandardWebhook(SECRET)),
  },
}

function ofStandard(library: StandardWebhook | SvixWebhook): Verifier {
  return ({ headers, body }) =>
    () =>
      library.verify(body, headers)
}
