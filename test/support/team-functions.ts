import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { vi } from 'vitest'
import { bundleOptions } from '../../infra/build.ts'
import { configuredTeam, TEAM_MODULE, textOfTeam } from '../../infra/team-config.ts'
import type { GatehouseConfig } from '../../lib/config.ts'
import { temporaryFolder } from './stack.ts'

/** Functions with a team's configuration, in this process. */
export interface TeamFunctions<N extends string> {
  readonly call: Readonly<Record<N, (event: unknown) => Promise<unknown>>>
  /** What they wrote to the log: an object a line. */
  readonly log: readonly Readonly<Record<string, unknown>>[]
  stop(): void
}

/**
 * Bundles functions as a deployment does, and loads them with nothing but that environment.
 * @param sources the file of each function
 */
export async function teamFunctions<N extends string>(
  sources: Readonly<Record<N, string>>,
  config: GatehouseConfig,
  environment: Readonly<Record<string, string>>,
): Promise<TeamFunctions<N>> {
  const folder = temporaryFolder()
  const [team, entry] = [join(folder.path, 'gatehouse.config.ts'), join(folder.path, 'index.ts')]
  writeFileSync(team, `export default ${JSON.stringify(config)}`)
  const exported = Object.entries<string>(sources).map(
    ([name, source]) => `export const ${name} = await (await import(${JSON.stringify(resolve(source))})).start()`,
  )
  writeFileSync(entry, exported.join('\n'))
  await build({
    ...bundleOptions({ outdir: join(folder.path, 'built'), entryPoints: { index: entry } }),
    minify: false,
    sourcemap: false,
  })
  const configured = await configuredTeam(undefined, team, join(folder.path, 'handlers'))
  writeFileSync(join(folder.path, 'built', TEAM_MODULE), textOfTeam(configured))
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  const log: Readonly<Record<string, unknown>>[] = []
  const written = vi.spyOn(console, 'log').mockImplementation((line) => void log.push(JSON.parse(line)))
  const handlers = await import(join(folder.path, 'built/index.mjs'))
  const context = { getRemainingTimeInMillis: () => 60_000 }
  const call = Object.fromEntries(
    Object.keys(sources).map((name) => [name, (event: unknown) => handlers[name](event, context)]),
  )
  return {
    call: call as TeamFunctions<N>['call'],
    log,
    stop() {
      written.mockRestore()
      vi.unstubAllEnvs()
      folder.remove()
    },
  }
}
