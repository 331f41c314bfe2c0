import { proofOf } from '../../lib/webhooks/event.ts'
import type { IdAndBody, Kind } from '../../lib/webhooks/identity.ts'
import type { Provider } from '../../lib/webhooks/provider.ts'
import { PROVIDERS } from '../../lib/webhooks/providers/index.ts'
import { SAMPLES } from '../../lib/webhooks/providers/samples.ts'
import { TOKEN } from '../../lib/webhooks/schemes/methods.ts'
import { sourceOf } from '../../lib/webhooks/sources/catalog.ts'
import { code, table, withParts } from './markdown.ts'
import { sampleCall } from './sample-call.ts'

type Name = keyof typeof PROVIDERS

/** The text of the page on webhooks, with each provider's own row. */
export function webhooksPage(): string {
  return withParts('docs/webhooks.md', { providers, lookAlikes })
}

/** The senders whose ids are not signed, and what becomes of equal content under another one. */
function lookAlikes(): string {
  const rows = (Object.keys(PROVIDERS) as Name[]).flatMap((name) => {
    const { alike } = SAMPLES[name].described
    return alike === undefined ? [] : [[code(name), anotherType(PROVIDERS[name]), anotherId(name), alike]]
  })
  return table(['name', 'another type', 'the same type under another id', 'because'], rows)
}

function anotherType({ resourceEnd }: Provider & Pick<Kind, 'resourceEnd'>): string {
  return resourceEnd ? `once each within ten minutes, if equal up to ${code(resourceEnd)}; else held` : 'held'
}

function anotherId(name: Name): string {
  const { identity, scheme }: Provider & Pick<Kind, 'identity'> = PROVIDERS[name]
  const row = identity.find((one): one is IdAndBody => one.rule === 'id+body' && !isDropped(one))
  if (row?.repeats === 'deliver' || scheme.methods.includes(TOKEN)) return 'new'
  return row?.equalTypes ? `held; new with ${row.equalTypes.map((end) => code(`…${end}`)).join(' and ')}` : 'held'
}

function isDropped({ repeats }: IdAndBody): boolean {
  return repeats === 'drop' || repeats === 'signed'
}

function providers(): string {
  const rows = (Object.keys(PROVIDERS) as Name[]).map((name) => {
    const { described } = SAMPLES[name]
    return [code(name), described.header, described.secret, described.signed, ...judged(name)]
  })
  return table(['name', 'header', 'secret', 'what is signed', 'rule', 'proof'], rows)
}

/** The rules that identify the provider's calls, in their order, and the level of proof of its usual call. */
function judged(name: Name): readonly [rules: string, level: string] {
  const provider = PROVIDERS[name]
  const call = sampleCall(SAMPLES[name], provider.scheme)
  const { identity } = sourceOf(name).read(call)
  const rules = provider.identity.map((row) => row.rule)
  return [rules.map(code).join(', else '), code(proofOf(call.proven, identity).level)]
}
