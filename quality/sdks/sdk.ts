import type { PROVIDERS } from '../../lib/webhooks/providers/index.ts'
import type { Sample, SampleMessage } from '../../lib/webhooks/sample.ts'

/** A signed call. Header names are in lower case. */
export interface Call extends SampleMessage {
  readonly url: string
}

export interface Signing {
  readonly secret: string
  readonly url: string
  readonly signedAt: Date
}

/** One official package of a provider, and the source that has to judge as it does. */
export interface Sdk {
  readonly package: string
  readonly source: keyof typeof PROVIDERS
  /** What it sends, if that is not the provider's own sample. */
  readonly sample?: Sample
  /** The kind of body, where a package has a row for each. */
  readonly kind?: 'form' | 'JSON'
  /** How many seconds old a call may be, by the SDK's own default; absent if no time is signed. */
  readonly seconds?: number
  /** Set if the proof says who calls, and nothing of the body. */
  readonly isBodyUnsigned?: true
  /** Queries that the address may have, because the address is signed. */
  readonly queries?: readonly string[]
  /** Signs with the SDK, and returns what that changes; absent if the SDK only verifies. */
  readonly sign?: (message: SampleMessage, signing: Signing) => Partial<Call> | Promise<Partial<Call>>
  /** Has the SDK judge a call, with its own tolerance. `false` refuses, and so does whatever is thrown. */
  readonly accepts: (call: Call, secret: string) => unknown
}
