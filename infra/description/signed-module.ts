import { SAMPLES } from '../../lib/webhooks/providers/samples.ts'

/** What the console says of the signatures of the built-in sources. */
export function signedModule(): string {
  const rows = Object.entries(SAMPLES).map(([source, { described }]) => rowOf(source, described))
  const own = ['payment', 'order-status'].map((source) => rowOf(source, SAMPLES.generic.described))
  return `// Written by \`npm run docs\` from lib/webhooks/providers.

/** Where the built-in sources put the signature or the secret, and what they sign. */
export const SIGNED: Readonly<Record<string, readonly [place: string, parts: string]>> = {
${[...rows, ...own].join('')}}
`
}

function rowOf(source: string, { header, signed }: { readonly header: string; readonly signed: string }): string {
  return `  ${JSON.stringify(source)}: ${JSON.stringify([header.replaceAll('`', ''), signed])},\n`
}
