import { SAMPLES } from '../../lib/webhooks/providers/samples.ts'
import { code, table, withParts } from './markdown.ts'

/** The text of the page on webhooks, with each provider's own row. */
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
