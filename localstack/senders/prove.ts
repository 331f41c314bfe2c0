import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { ServiceError } from '../../lib/errors.ts'
import { proofOf } from '../../lib/webhooks/event.ts'
import { keyOf } from '../../lib/webhooks/place.ts'
import { type ProofTexts, type Sample, type SampleMessage, secondsOf } from '../../lib/webhooks/sample.ts'
import type { SignatureScheme, SignedCall } from '../../lib/webhooks/schemes/scheme.ts'
import type { VerifiedCall } from '../../lib/webhooks/source.ts'
import { type Catalog, KNOWN } from '../../lib/webhooks/sources/catalog.ts'
import { type Proven, trustStored } from '../../lib/webhooks/verify.ts'
import { StartError } from '../errors.ts'
import { type SenderCredentials, signerOf } from './signers.ts'

export interface Signing {
  /** As in the path. */
  readonly name: string
  readonly sender: Sample
  readonly credentials: SenderCredentials
  /** The address that it is sent to, which some schemes sign. */
  readonly url: string
  readonly signedAt: Date
  /** Those that are known without a configuration, unless it says otherwise. */
  readonly sources?: Pick<Catalog, 'providerOf'>
  /** Set if the proof must not hold. */
  readonly isForged?: boolean
}

/** A call with all its headers. */
export type ProvenCall = SignedCall & Pick<SampleMessage, 'headers'> & Pick<VerifiedCall, 'proven'>

/** A placeholder for the signature; as long as the longest signature under a shared secret. */
const BLANK = Buffer.alloc(64, 'a')

/**
 * Builds the call that the provider would make of a message. The scheme's row decides what is signed.
 * @throws StartError for a message that cannot be signed, and for a secret that cannot sign it
 */
export function prove(
  message: SampleMessage,
  { name, sender, credentials, url, signedAt, sources = KNOWN, isForged }: Signing,
): ProvenCall {
  const callWith = (signature: Buffer): ProvenCall => {
    const { headers, body = message.body } = sender.prove(textsOf(signature, signedAt), message)
    const address = message.query ? `${url}?${message.query}` : url
    return { method: 'POST', url: address, headers: { ...message.headers, ...headers }, body }
  }
  const { scheme } = sources.providerOf(name)
  const claim = scheme.read(callWith(BLANK))
  if (!claim) throw new StartError(`${name} cannot sign such a body.`)
  const key = claim.method.readKey(credentials.secret)
  if (!key)
    throw new StartError(`The samples of ${name} are signed with another kind of secret than is configured here.`)
  const keyName = key.name
  const signature = signerOf(claim.method).sign(credentials, claim.signed(keyName))
  const call = callWith(isForged ? forged(signature) : signature)
  return { ...call, proven: provenBy(scheme, call, keyName) }
}

/** What the service finds proven once the signature holds. */
function provenBy(scheme: SignatureScheme, call: SignedCall, keyName: string): Proven | undefined {
  const claim = scheme.read(call)
  if (!claim) return undefined
  const { signedAt } = (claim.confirm ? claim.confirm(keyName) : claim) ?? {}
  return {
    covers: claim.covers ?? 'body',
    signedAt: signedAt === undefined ? undefined : new Date(signedAt),
    signed: () => claim.signed(keyName),
  }
}

function textsOf(signature: Buffer, signedAt: Date): ProofTexts {
  return {
    hex: signature.toString('hex'),
    base64: signature.toString('base64'),
    base64url: signature.toString('base64url'),
    text: signature.toString(),
    seconds: String(secondsOf(signedAt)),
    milliseconds: String(signedAt.getTime()),
    instant: signedAt.toISOString(),
  }
}

/** A signature of the same form that differs in one bit. */
function forged(signature: Buffer): Buffer {
  const changed = Buffer.from(signature)
  const last = changed.length - 1
  changed.writeUInt8(changed.readUInt8(last) ^ 1, last)
  return changed
}

/** In place of an id that there is none of before the event is stored. */
export const NO_ID = 'no id'

/** The id under which the service will store an event, {@link NO_ID} if it will refuse the body, or only then make one. */
export function eventIdOf(
  name: string,
  { headers, body, proven }: SampleMessage & Pick<VerifiedCall, 'proven'>,
  { sourceOf }: Pick<Catalog, 'sourceOf'> = KNOWN,
): string {
  try {
    const { identity } = sourceOf(name).read({ body: trustStored(body), headers, proven })
    if (identity.rule === 'always-new') return NO_ID
    const payloadSha256 = createHash('sha256').update(body).digest('hex')
    const { contentSha256 } = identity
    return keyOf({ id: 0n, proof: proofOf(proven, identity), payloadSha256, contentSha256 }, identity)
  } catch (error) {
    if (error instanceof ServiceError) return NO_ID
    throw error
  }
}
