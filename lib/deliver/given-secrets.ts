import type { Rule } from '../runtime/config.ts'
import { HMAC_SHA256_WHSEC } from '../webhooks/schemes/methods.ts'
import type { SharedSecret } from '../webhooks/verify.ts'
import type { Destination } from './destination.ts'

interface Given {
  readonly DELIVERY_SECRETS: ReadonlyMap<string, readonly SharedSecret[]>
}

/** Whether deliveries to a destination need secrets. */
export function needsSecrets({ target }: Pick<Destination, 'target'>): boolean {
  return target.to === 'http' || (target.to === 'handler' && target.secrets.length > 0)
}

/** The names of the secrets that destinations need: to sign, for headers, and for handlers. */
export function secretsNeeded(destinations: readonly Destination[]) {
  const signing = destinations.flatMap(({ name, target }) => (target.to === 'http' ? [name] : []))
  const values = destinations.flatMap(({ target }) => (target.to === 'http' ? [...target.headers.values()] : []))
  const sent = values.flatMap((value) => (typeof value === 'string' ? [] : [value.secret]))
  const read = destinations.flatMap(({ target }) => (target.to === 'handler' ? target.secrets : []))
  return { signing, sent: [...new Set(sent)], read: [...new Set(read)] }
}

/** Each secret that destinations need is there, and can be what it is for. */
export function deliverySecretsGiven(destinations: readonly Destination[]): Rule<Given> {
  const { signing, sent, read } = secretsNeeded(destinations)
  return {
    settings: ['DELIVERY_SECRETS'],
    broken({ DELIVERY_SECRETS: given }) {
      const missing = [...new Set([...signing, ...sent, ...read])].filter((name) => !given.has(name))
      const are = (names: readonly string[], isRight: (value: string) => boolean) =>
        names.filter((name) => !given.get(name)?.every(({ value }) => isRight(value)))
      if (missing.length > 0) return `DELIVERY_SECRETS: has none for ${missing.sort().join(', ')}`
      const [unreadable] = are(signing, (value) => HMAC_SHA256_WHSEC.readKey(value) !== undefined)
      if (unreadable !== undefined) return `DELIVERY_SECRETS: ${unreadable} must be whsec_ and base64`
      const [unsendable] = are(sent, (value) => /^[!-~](?:[ -~]{0,4094}[!-~])?$/.test(value))
      return unsendable && `DELIVERY_SECRETS: ${unsendable} must be printable ASCII, for it is sent in a header`
    },
  }
}
