import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The part of the deployment engine that knows the functions of serverless.yml and what all of them are told. */
export interface EnvironmentEngine {
  readonly service: {
    readonly provider: { environment: Readonly<Record<string, unknown>> }
    readonly functions: Readonly<Record<string, { readonly handler: string; environment?: Record<string, unknown> }>>
  }
}

/** What Node reads itself. */
const ALWAYS = 'NODE_OPTIONS'

/**
 * Tells each function only those settings that have a value and a name in its bundle, which has to be there: Lambda takes
 * 4 KB of them, and what a function does not know it cannot give away.
 */
export function narrowEnvironments({ service }: EnvironmentEngine): void {
  const given = Object.entries(service.provider.environment).filter(([, value]) => value !== '')
  for (const declared of Object.values(service.functions)) {
    const named = namesIn(dirname(declared.handler)).add(ALWAYS)
    declared.environment = Object.fromEntries(given.filter(([name]) => named.has(name)))
  }
  service.provider.environment = {}
}

/** Every word in capitals in the code of a bundle, whether it is loaded at the start or later. */
function namesIn(folder: string): Set<string> {
  const code = globSync(join(folder, '*.mjs')).map((file) => readFileSync(file, 'utf8'))
  return new Set(code.flatMap((text) => text.match(/\b[A-Z][A-Z0-9_]+\b/g) ?? []))
}
