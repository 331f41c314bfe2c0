import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inWork } from './project.ts'

/** The part of the deployment engine with the functions of serverless.yml and their common environment. */
export interface EnvironmentEngine {
  readonly service: {
    readonly provider: { environment: Readonly<Record<string, unknown>> }
    readonly functions: Readonly<Record<string, { readonly handler: string; environment?: Record<string, unknown> }>>
  }
}

/** A variable that Node itself reads. */
const ALWAYS = 'NODE_OPTIONS'

/**
 * Gives each function its own settings, and of the common ones only those that have a value and whose name occurs in its
 * bundle, which must exist. Lambda allows 4 KB of them, and a function cannot leak a setting that it does not have.
 */
export function narrowEnvironments({ service }: EnvironmentEngine): void {
  const given = Object.entries(service.provider.environment).filter(([, value]) => value !== '')
  for (const declared of Object.values(service.functions)) {
    const named = namesIn(inWork(dirname(declared.handler))).add(ALWAYS)
    const common = Object.fromEntries(given.filter(([name]) => named.has(name)))
    declared.environment = { ...common, ...declared.environment }
  }
  service.provider.environment = {}
}

/** Every word in capitals in the code of a bundle, including the parts that are loaded later. */
function namesIn(folder: string): Set<string> {
  const code = globSync('*.mjs', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'))
  if (code.length === 0) throw new Error(`${folder} has no code`)
  return new Set(code.flatMap((text) => text.match(/\b[A-Z][A-Z0-9_]+\b/g) ?? []))
}
