import { proofOf } from '../../lib/webhooks/proof.ts'
import { PROVIDERS } from '../../lib/webhooks/providers/index.ts'
import { SAMPLES } from '../../lib/webhooks/providers/samples.ts'
import { sourceOf } from '../../lib/webhooks/sources/catalog.ts'
import { code, table, withParts } from './markdown.ts'
import { sampleCall } from './sample-call.ts'

type Name = keyof typeof PROVIDERS

/** The text of the page on webhooks, with each provider's own row. */
export function webhooksPage(): string {
  return withParts('docs/webhooks.md', { providers })
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
  const rules = 'identity' in provider ? provider.identity.map((row) => row.rule) : [identity.rule]
  return [rules.map(code).join(', else '), code(proofOf(call.proven, identity).level)]
}
