import { Buffer } from 'node:buffer'
import { providerOf } from '../../lib/webhooks/providers/index.ts'
import { type ProofTexts, type Sample, type SampleMessage, secondsOf } from '../../lib/webhooks/sample.ts'
import type { SignedCall } from '../../lib/webhooks/schemes/scheme.ts'
import type { VerifiedCall } from '../../lib/webhooks/source.ts'
import { StartError } from '../start-error.ts'
import { type SenderCredentials, signerOf } from './signers.ts'

export interface Signing {
  /** As in the path. */
  readonly name: string
  readonly sender: Sample
  readonly credentials: SenderCredentials
  /** Where it is sent to: some sign that. */
  readonly url: string
  readonly signedAt: Date
  /** The proof is not to hold. */
  readonly isForged?: boolean
}

/** A call whose headers are all there. */
export type ProvenCall = SignedCall & Pick<SampleMessage, 'headers'> & Pick<VerifiedCall, 'signed'>

/** As long as the longest of a shared secret; it stands where the signature will. */
const BLANK = Buffer.alloc(64, 1)

/**
 * The call that the provider would make of a message. The scheme's own row says what is to be signed.
 * @throws StartError for a message that cannot be signed
 */
export function prove(
  message: SampleMessage,
  { name, sender, credentials, url, signedAt, isForged }: Signing,
): ProvenCall {
  const callWith = (signature: Buffer): ProvenCall => {
    const { headers, body = message.body } = sender.prove(proofOf(signature, signedAt), message)
    return { method: 'POST', url, headers: { ...message.headers, ...headers }, body }
  }
  const claim = providerOf(name).scheme.read(callWith(BLANK))
  if (!claim) throw new StartError(`${name} cannot sign such a body.`)
  const signed = () => claim.signed(keyNameOf(credentials))
  const signature = signerOf(claim.method).sign(credentials, signed())
  return { ...callWith(isForged ? forged(signature) : signature), signed }
}

function proofOf(signature: Buffer, signedAt: Date): ProofTexts {
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

/** What stands before a key that has a name. */
function keyNameOf({ secret }: SenderCredentials): string {
  return /^([^:\s]+):/.exec(secret)?.[1] ?? ''
}

/** Of the same form, with one bit otherwise. */
function forged(signature: Buffer): Buffer {
  const changed = Buffer.from(signature)
  const last = changed.length - 1
  changed.writeUInt8(changed.readUInt8(last) ^ 1, last)
  return changed
}
