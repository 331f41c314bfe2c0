import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SECRETS } from '../../lib/runtime/settings/secret-names.ts'
import { DEMO } from '../../lib/runtime/settings/strength.ts'
import type { Ready } from '../../localstack/stack/ready.ts'

/** What is secret but made while the service runs, by its form. */
const FORMS = {
  'an API key': /ghk_[0-9a-z]{13}_[\w-]{43}/,
  'a signed token': /eyJ[\w-]{8,}\.[\w-]+\.[\w-]+/,
  // 32 bytes in base64url; names around a UUID can be as long.
  'a session id, or part of a CSRF token': /(?<![\w-])(?![\w-]*[\da-f]{8}-[\da-f]{4}-)[\w-]{43}(?![\w-])/,
  'a private key': /PRIVATE KEY-----/,
  'the hash of a password': /\$argon2id\$/,
} as const satisfies Record<string, RegExp>

/** A shorter one would be found in other words. */
const MINIMUM_LENGTH = 8

/** What a run of the service was given or made, and nobody may read in its log. */
export function secretsOf(
  ready: Pick<Ready, 'users' | 'webhookSecrets' | 'deliverySecrets' | 'jwtKeys' | 'data'>,
  given: NodeJS.ProcessEnv,
): ReadonlySet<string> {
  const kept = join(ready.data, 'secrets.json')
  const { JWT_KEYS = '', SIGNING_KEYS = {} } = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : {}
  const settings = Object.values(SECRETS).flat()
  const values = [
    ...settings.filter((name) => !name.endsWith('_DN')).map((name) => given[name] ?? ''),
    ...[JWT_KEYS, given['JWT_KEYS'] ?? ''].flatMap((ring: string) =>
      ring.split(',').map((key) => key.split(':')[1] ?? ''),
    ),
    ...Object.values<string>(SIGNING_KEYS),
    ...[ready.webhookSecrets, ready.deliverySecrets, ready.jwtKeys].flatMap((named) => Object.values(named)),
    ...ready.users.map(({ password }) => password),
    ...Object.values(DEMO),
  ]
  return new Set(values.filter((value) => value.length >= MINIMUM_LENGTH))
}

/** Where a text holds one of the secrets, or something of the form of one: by line and kind, without the secret. */
export function leaksIn(text: string, secrets: ReadonlySet<string>): readonly string[] {
  return text.split('\n').flatMap((line, index) => {
    const known = [...secrets].some(
      (secret) => line.includes(secret) || line.includes(JSON.stringify(secret).slice(1, -1)),
    )
    const forms = Object.entries(FORMS).flatMap(([kind, form]) => (form.test(line) ? [kind] : []))
    const place = line.slice(0, 20)
    return [...(known ? ['a known secret'] : []), ...forms].map((kind) => `line ${index + 1} (${place}…): ${kind}`)
  })
}

/** The log of everything that a run started: gateway, functions, container, emulators, providers, directory. */
export function logOf({ data }: Pick<Ready, 'data'>): string {
  const file = join(data, 'gatehouse.log')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}
