type Refusal = 'SIGNATURE_REJECTED' | 'SIGNATURE_INVALID' | 'TIMESTAMP_OUTSIDE_WINDOW'

export type Headers = Readonly<Record<string, string | undefined>>

/** What the sender claims: one or more signatures (the secret may be in rotation) and, with some schemes, a time. */
export interface Proof {
  /** Lowercase hexadecimal. */
  readonly signatures: readonly string[]
  /** Seconds since the epoch, as the sender wrote them. */
  readonly timestamp?: string | undefined
}

/** How one provider signs: everything that differs between providers is in its row. */
export interface SignatureScheme {
  /** The header that carries the signature; a call without it is unsigned. */
  readonly header: string
  /** Undefined when the headers carry no readable proof. */
  readonly read: (headers: Headers) => Proof | undefined
  /** What is signed before the body's own bytes. */
  readonly prefix: (proof: Proof) => string
  /** Allowed distance of the timestamp from now, in both directions, in seconds. */
  readonly toleranceSeconds: number
  /** How this provider wants to be refused. */
  readonly refusals: Readonly<Record<'signature' | 'timestamp', Refusal>>
}

const SHA256_HEX = /^[0-9a-f]{64}$/
const SECONDS = /^\d{1,12}$/

export const SCHEMES = {
  /** Spec part 5, webhook rule 3; docs.stripe.com/webhooks "Verify webhook signatures manually". */
  stripe: {
    header: 'stripe-signature',
    read: (headers) => readStripe(headers['stripe-signature'] ?? ''),
    prefix: ({ timestamp = '' }) => `${timestamp}.`,
    toleranceSeconds: 300,
    refusals: { signature: 'SIGNATURE_REJECTED', timestamp: 'SIGNATURE_REJECTED' },
  },
  /** docs.github.com, "Validating webhook deliveries"; the legacy SHA-1 of `X-Hub-Signature` proves nothing here. */
  github: {
    header: 'x-hub-signature-256',
    read: (headers) => readGithub(headers['x-hub-signature-256'] ?? ''),
    prefix: () => '',
    // No time is signed.
    toleranceSeconds: Number.POSITIVE_INFINITY,
    refusals: { signature: 'SIGNATURE_INVALID', timestamp: 'SIGNATURE_INVALID' },
  },
  /** The decisions' own scheme for every name without one: `X-Signature`, and `X-Timestamp` if the sender likes. */
  generic: {
    header: 'x-signature',
    read: (headers) => readGeneric(headers['x-signature'] ?? '', headers['x-timestamp']),
    prefix: ({ timestamp }) => (timestamp === undefined ? '' : `${timestamp}.`),
    toleranceSeconds: 300,
    refusals: { signature: 'SIGNATURE_INVALID', timestamp: 'TIMESTAMP_OUTSIDE_WINDOW' },
  },
} as const satisfies Record<string, SignatureScheme>

/** `t=<seconds>,v1=<hex>[,v1=<hex>…]`; elements of other names are of other schemes and do not count. */
function readStripe(header: string): Proof | undefined {
  const elements = header.split(',').map((element) => /^(\w+)=(.*)$/s.exec(element))
  if (elements.some((element) => element === null)) return undefined
  const valuesOf = (name: string) => elements.flatMap((element) => (element?.[1] === name ? [element[2] ?? ''] : []))
  const [timestamp, ...others] = valuesOf('t')
  const signatures = valuesOf('v1').filter((value) => SHA256_HEX.test(value))
  if (timestamp === undefined || others.length > 0 || !SECONDS.test(timestamp) || signatures.length === 0)
    return undefined
  return { timestamp, signatures }
}

function readGithub(header: string): Proof | undefined {
  const [, hex] = /^sha256=([0-9a-f]{64})$/.exec(header) ?? []
  return hex === undefined ? undefined : { signatures: [hex] }
}

function readGeneric(signature: string, timestamp: string | undefined): Proof | undefined {
  const hex = signature.replace(/^sha256=/, '')
  const isReadable = SHA256_HEX.test(hex) && (timestamp === undefined || SECONDS.test(timestamp))
  return isReadable ? { signatures: [hex], timestamp } : undefined
}
