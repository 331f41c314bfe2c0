import { SAMPLES } from '../../lib/webhooks/providers/samples.ts'
import { code, table, withParts } from './markdown.ts'

/** The page of the webhooks, with the row that each provider has of itself. */
export function webhooksPage(): string {
  return withParts('docs/webhooks.md', { providers })
}

function providers(): string {
  const rows = Object.entries(SAMPLES).map(
    ([
      name,
      {
        described: { header, secret, signed, id },
      },
    ]) => [code(name), header, secret, signed, id],
  )
  return table(['name', 'header', 'secret', 'what is signed', 'id signed'], rows)
}
