import type { Rule } from '../runtime/config.ts'
import { sha256 } from './schemes/methods.ts'
import { GATEHOUSE } from './source.ts'
import type { Catalog } from './sources/catalog.ts'
import type { SharedSecret } from './verify.ts'

interface Secrets {
  readonly WEBHOOK_SECRETS: ReadonlyMap<string, readonly SharedSecret[]>
}

/**
 * The scheme of each name must be able to read its secret: an unreadable one would refuse every call of its provider. No
 * two names may have one key, however it is written (in-22): the sender of one could sign as the other.
 */
export function secretsReadable({ providerOf }: Pick<Catalog, 'providerOf'>): Rule<Secrets> {
  /** The keys that the scheme of a name reads in a secret, as hashes; the name of a key is a part of what it proves. */
  function keysIn(name: string, secret: string): readonly string[] {
    const { methods, rotation } = providerOf(name).scheme
    if (rotation?.isName(secret)) return [secret]
    const keys = methods.map(({ readKey }) => readKey(secret)).filter((key) => key !== undefined)
    return keys.map(({ material, name: named }) => {
      const bytes = material.type === 'secret' ? material.export() : material.export({ type: 'spki', format: 'der' })
      return `${named} ${sha256(bytes).toString('base64')}`
    })
  }

  return {
    settings: ['WEBHOOK_SECRETS'],
    broken({ WEBHOOK_SECRETS }) {
      if (WEBHOOK_SECRETS.has(GATEHOUSE)) return `WEBHOOK_SECRETS: ${GATEHOUSE} sends no calls, and has no secret`
      const read = [...WEBHOOK_SECRETS].flatMap(([name, secrets]) =>
        secrets.map(({ value, owner = name }) => ({ name, owner, keys: keysIn(name, value) })),
      )
      const unreadable = new Set(read.filter(({ keys }) => keys.length === 0).map(({ name }) => name))
      if (unreadable.size > 0)
        return `WEBHOOK_SECRETS: not in the form that its provider uses: ${[...unreadable].sort().join(', ')}`
      return sharedIn(read)
    },
  }
}

function sharedIn(read: readonly { readonly owner: string; readonly keys: readonly string[] }[]): string | undefined {
  const owners = new Map<string, string>()
  for (const { owner, keys } of read) {
    const other = keys.map((key) => owners.get(key)).find((one) => one !== undefined && one !== owner)
    if (other !== undefined)
      return `WEBHOOK_SECRETS: ${other} and ${owner} have the same key; if they are meant to, write {"sameAs":"${other}"}`
    for (const key of keys) owners.set(key, owner)
  }
  return undefined
}
