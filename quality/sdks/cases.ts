import { Buffer } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { providerOf } from '../../lib/webhooks/providers/index.ts'
import { SAMPLES } from '../../lib/webhooks/providers/samples.ts'
import { newMessage } from '../../localstack/senders/message.ts'
import { prove } from '../../localstack/senders/prove.ts'
import { type SenderCredentials, signerOf } from '../../localstack/senders/signers.ts'
import type { Call, Sdk } from './sdk.ts'

export type Verdict = 'accepted' | 'refused'

export interface Case {
  readonly name: string
  /** What both have to say; absent where the SDK alone says what is right. */
  readonly expected?: Verdict
  /** Signs it: just before it is sent, because Paddle's calls may be no older than five seconds. */
  readonly call: () => Promise<Call>
}

interface Signing {
  readonly url: string
  readonly credentials: SenderCredentials
  /** In seconds; negative in the future. */
  readonly age: number
}

/** What the service has to judge as the SDK does. */
export function casesOf(sdk: Sdk, address: string, credentials: SenderCredentials): readonly Case[] {
  const signed =
    (others: Partial<Signing> = {}) =>
    () =>
      sign(sdk, { url: address, credentials, age: 0, ...others })
  const changed = (change: (call: Call) => Call) => async () => change(await signed()())
  const { header } = providerOf(sdk.source).scheme
  return [
    good('good', signed()),
    (sdk.isBodyUnsigned ? good : bad)('body tampered', changed(withOtherIds)),
    bad(
      'signature tampered',
      changed((call) => withProof(call, header, oneLetterChanged)),
    ),
    bad(
      'no signature',
      changed((call) => withProof(call, header, () => undefined)),
    ),
    bad('other secret', signed({ credentials: newCredentials(sdk) })),
    ...aged(sdk, (age) => signed({ age })),
    ...(sdk.queries ?? []).map((query) => good(query, signed({ url: `${address}${query}` }))),
  ]
}

function good(name: string, call: Case['call']): Case {
  return { name, expected: 'accepted', call }
}

function bad(name: string, call: Case['call']): Case {
  return { name, expected: 'refused', call }
}

/** What a sender signs with, and what its receiver is configured with. */
export function newCredentials({ source }: Pick<Sdk, 'source'>): SenderCredentials {
  return signerOf(providerOf(source).scheme.methods[0]).make()
}

/** How long a call may be on its way without growing too old. */
export const WAY_SECONDS = 3

const DAY = 86_400

/** Ages beside the SDK's tolerance. Not all SDKs look whether a time is in the future. */
function aged({ seconds }: Sdk, signed: (age: number) => Case['call']): readonly Case[] {
  if (seconds === undefined) return []
  if (seconds === Number.POSITIVE_INFINITY)
    return [good('a day old', signed(DAY)), { name: 'in the future', call: signed(-DAY) }]
  return [
    good('just in time', signed(seconds - WAY_SECONDS)),
    bad('too old', signed(seconds + 60)),
    { name: 'in the future', call: signed(-seconds - 60) },
  ]
}

/** A new event, signed by the SDK; if that only verifies, as `npm run send` signs. */
async function sign(
  { source, sample = SAMPLES[source], sign }: Sdk,
  { url, credentials, age }: Signing,
): Promise<Call> {
  const at = new Date()
  const signedAt = new Date(at.getTime() - age * 1000)
  const message = newMessage(sample, sample.events[0], { id: newId(), at })
  if (!sign) return { ...prove(message, { name: source, sender: sample, credentials, url, signedAt }), url }
  const { headers, ...others } = await sign(message, { secret: credentials.secret, url, signedAt })
  return { url, body: message.body, ...others, headers: { ...message.headers, ...headers } }
}

/** Found again by its length; every provider signs the part of a sample's body that has it, or a number in its place. */
function newId(): string {
  return randomBytes(16).toString('hex')
}

const IDS = /(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])|(?<="id":)\d{6,12}/g

function withOtherIds(call: Call): Call {
  return { ...call, body: bodyWith(call, IDS, (id) => (id.length === 32 ? newId() : String(Number(id) + 1))) }
}

/** Where Adyen and SNS put the signature, which have no header for it. */
const PROOF_IN_BODY = /,"(?:additionalData":\{[^}]+\}|Signature":"[^"]+")/g

/** Undefined takes the proof away. */
function withProof(call: Call, header: string | undefined, change: (proof: string) => string | undefined): Call {
  if (header === undefined) return { ...call, body: bodyWith(call, PROOF_IN_BODY, (proof) => change(proof) ?? '') }
  const { [header]: proof = '', ...headers } = call.headers
  const changed = change(proof)
  return { ...call, headers: changed === undefined ? headers : { ...headers, [header]: changed } }
}

/** In the middle of the signature: the last letter of base64 may hold bits that mean nothing. */
function oneLetterChanged(proof: string): string {
  return replaced(proof, /(?<=[A-Za-z0-9+/]{13})[A-Za-z0-9+/](?=[A-Za-z0-9+/]{13})/, (letter) =>
    letter === 'a' ? 'b' : 'a',
  )
}

function bodyWith({ body }: Call, pattern: RegExp, change: (found: string) => string): Buffer {
  return Buffer.from(replaced(body.toString(), pattern, change))
}

/** @throws Error when there is nothing to change: the case would be that of a good call */
function replaced(text: string, pattern: RegExp, change: (found: string) => string): string {
  const changed = text.replace(pattern, change)
  if (changed === text) throw new Error(`nothing fits ${pattern}`)
  return changed
}
