import type { HttpAuth, NamedSecret } from '../config.ts'
import type { Rule } from '../runtime/config.ts'
import type { SecretName } from '../runtime/settings/secret-names.ts'
import type { SharedSecret } from '../webhooks/verify.ts'
import type { Destination } from './destination.ts'
import { certificateIn, signerOf } from './signing.ts'

interface Given {
  readonly DELIVERY_SECRETS: ReadonlyMap<string, readonly SharedSecret[]>
}

/** The secret that deliveries to a destination read, if they need one: a handler's is its own. */
export function secretOf({ target }: Pick<Destination, 'target'>): SecretName | undefined {
  if (target.to === 'handler') return target.secrets.length > 0 ? `handlers/${target.path}` : undefined
  return target.to === 'http' ? 'deliveries' : undefined
}

/** The values of an authentication. */
export function authValues(auth: HttpAuth | undefined): readonly (string | NamedSecret)[] {
  if (auth === undefined) return []
  if ('mtls' in auth) return [auth.mtls]
  return 'basic' in auth ? [auth.basic.username, auth.basic.password] : [auth.oauth2.clientId, auth.oauth2.secret]
}

/** The names of the secrets that destinations need: to sign, for headers, for handshakes, and for handlers. */
export function secretsNeeded(destinations: readonly Destination[]) {
  const http = destinations.flatMap(({ name, target }) => (target.to === 'http' ? [{ name, ...target }] : []))
  const signing = http.map(({ name }) => name)
  const shown = http.flatMap(({ auth }) => (auth && 'mtls' in auth ? [auth.mtls.secret] : []))
  const values = http.flatMap(({ headers, auth }) => [...headers.values(), ...authValues(auth)])
  const sent = values.flatMap((value) => (typeof value === 'string' ? [] : [value.secret]))
  const read = destinations.flatMap(({ target }) => (target.to === 'handler' ? target.secrets : []))
  const isSent = (name: string) => !shown.includes(name)
  return { signing, sent: [...new Set(sent)].filter(isSent), shown: [...new Set(shown)], read: [...new Set(read)] }
}

/** Each secret that destinations need is there, and can be what it is for. */
export function deliverySecretsGiven(destinations: readonly Destination[]): Rule<Given> {
  const { signing, sent, shown, read } = secretsNeeded(destinations)
  return {
    settings: ['DELIVERY_SECRETS'],
    broken({ DELIVERY_SECRETS: given }) {
      const missing = [...new Set([...signing, ...sent, ...shown, ...read])].filter((name) => !given.has(name))
      const are = (names: readonly string[], isRight: (value: string) => boolean) =>
        names.filter((name) => !given.get(name)?.every(({ value }) => isRight(value)))
      if (missing.length > 0) return `DELIVERY_SECRETS: has none for ${missing.sort().join(', ')}`
      const [unreadable] = are(signing, (value) => signerOf(value) !== undefined)
      if (unreadable !== undefined)
        return `DELIVERY_SECRETS: ${unreadable} must be whsec_ and base64, or whsk_ and an Ed25519 key in base64`
      const [keyless] = are(shown, (value) => certificateIn(value) !== undefined)
      if (keyless !== undefined) return `DELIVERY_SECRETS: ${keyless} must be a private key and its certificate in PEM`
      const [unsendable] = are(sent, (value) => /^[!-~](?:[ -~]{0,4094}[!-~])?$/.test(value))
      return unsendable && `DELIVERY_SECRETS: ${unsendable} must be printable ASCII, for it is sent in a header`
    },
  }
}
