import type { Rule } from '../runtime/config.ts'
import type { Catalog } from './sources/catalog.ts'
import type { SharedSecret } from './verify.ts'

interface Secrets {
  readonly WEBHOOK_SECRETS: ReadonlyMap<string, readonly SharedSecret[]>
}

/**
 * The scheme of each name must be able to read its secret: an unreadable one would refuse every call of its provider.
 */
export function secretsReadable({ providerOf }: Pick<Catalog, 'providerOf'>): Rule<Secrets> {
  const isReadable = (name: string, secret: string) => {
    const { methods, rotation } = providerOf(name).scheme
    return rotation?.isName(secret) || methods.some(({ readKey }) => readKey(secret) !== undefined)
  }
  return {
    settings: ['WEBHOOK_SECRETS'],
    broken: ({ WEBHOOK_SECRETS }) => {
      const unreadable = [...WEBHOOK_SECRETS].flatMap(([name, secrets]) =>
        secrets.every(({ value }) => isReadable(name, value)) ? [] : [name],
      )
      return unreadable.length === 0
        ? undefined
        : `WEBHOOK_SECRETS: not in the form that its provider uses: ${unreadable.sort().join(', ')}`
    },
  }
}
