import { Buffer } from 'node:buffer'
import { fail, invalid } from '../errors.ts'
import { admit, type Intake } from './admit.ts'
import { readChallenge } from './greetings.ts'
import { TOKEN } from './schemes/methods.ts'
import { ANY_AGE, REFUSALS, type SignatureScheme, type SignedCall } from './schemes/scheme.ts'

/** How a provider asks by GET whether an address is ours. */
interface Challenge {
  /** The parameter that it wants to have back. */
  readonly parameter: string
  /** What the query says besides, word for word. */
  readonly query: Readonly<Record<string, string>>
  /** What the caller has to know; without it anybody may ask, as long as the provider has a secret. */
  readonly proof?: { readonly name: string; readonly scheme: SignatureScheme }
}

/** The token that the owner of the address chose, in the query. */
const verifyToken: SignatureScheme = {
  methods: [TOKEN],
  read({ url }) {
    const token = queryOf(url).get('hub.verify_token')
    return token ? { method: TOKEN, signatures: [Buffer.from(token)], signed: () => [] } : undefined
  },
  toleranceSeconds: ANY_AGE,
  refusals: REFUSALS,
}

/** Every provider that asks by GET. */
export const CHALLENGES = {
  /** dropbox.com/developers/reference/webhooks, "Verification". */
  dropbox: { parameter: 'challenge', query: {} },
  /** developers.facebook.com/docs/graph-api/webhooks/getting-started, "Verification requests". */
  meta: {
    parameter: 'hub.challenge',
    query: { 'hub.mode': 'subscribe' },
    proof: { name: 'meta.verify', scheme: verifyToken },
  },
} as const satisfies Record<string, Challenge>

const challenges = new Map<string, Challenge>(Object.entries(CHALLENGES))

/**
 * The text that a provider wants to have back.
 * @throws ServiceError `SIGNATURE_INVALID` for a provider without a secret and for a caller without the token;
 * `VALIDATION_FAILED`
 */
export function answerChallenge(name: string, call: SignedCall, intake: Intake): string {
  const { proof, parameter, query: wanted } = challenges.get(name) ?? refuse()
  if (proof) admit(proof, call, intake)
  else if (!intake.secrets.current.has(name)) refuse()
  const query = queryOf(call.url)
  const wrong = Object.entries(wanted).filter(([key, value]) => query.get(key) !== value)
  if (wrong.length > 0) throw invalid(wrong.map(([key, value]) => ({ path: [key], message: `must be ${value}` })))
  return readChallenge(query.get(parameter), [parameter])
}

function refuse(): never {
  throw fail('SIGNATURE_INVALID')
}

function queryOf(url: string): URLSearchParams {
  return new URLSearchParams(url.replace(/^[^?]*/, ''))
}
