import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { bundleOptions } from '../../../infra/build.ts'
import { configuredTeam, TEAM_MODULE, textOfTeam } from '../../../infra/team-config.ts'
import type { GatehouseConfig } from '../../../lib/config.ts'
import { type ExecutionEnvironment, startFunction } from '../../../localstack/strict/execution-environment.ts'
import { recordingTo } from '../calls/recording.ts'

/** Where a function's code is, by the name of the function. */
type Sources = Readonly<Record<string, string>>

/** Processes of functions. */
export interface DeliveringFunctions {
  /** @throws Error with what the function reports instead of a result */
  invoke(name: string, event: unknown): Promise<string>
  stop(): Promise<void>
}

/**
 * Builds functions with a configuration, and starts each by itself.
 * @param folder an empty one
 * @param calls the file for what they ask of AWS
 */
export async function startDelivering(
  sources: Sources,
  config: GatehouseConfig,
  { folder, calls, environment }: { folder: string; calls: string; environment: Readonly<Record<string, string>> },
): Promise<DeliveringFunctions> {
  const team = join(folder, 'gatehouse.config.ts')
  writeFileSync(team, `export default ${JSON.stringify(config)}`)
  const entryPoints = Object.fromEntries(Object.values(sources).map((source) => [bundleOf(source), source]))
  const options = bundleOptions({ outdir: folder, entryPoints: { index: '' } })
  await build({ ...options, entryPoints })
  writeFileSync(join(folder, TEAM_MODULE), textOfTeam(await configuredTeam(undefined, team, join(folder, 'handlers'))))
  const started = new Map<string, Promise<ExecutionEnvironment>>()

  function start(name: string): Promise<ExecutionEnvironment> {
    return startFunction({
      name: `gatehouse-local-${name}`,
      handler: `${bundleOf(sources[name] ?? '')}.handler`,
      timeoutSeconds: 30,
      memoryMegabytes: 512,
      folder,
      environment: { ...environment, ...recordingTo(calls) },
    })
  }

  for (const name of Object.keys(sources)) started.set(name, start(name))
  return {
    async invoke(name, event) {
      const { isError, payload } = await (started.get(name) ?? start(name)).then((running) => running.invoke(event))
      if (isError) throw new Error(`${name}: ${payload}`)
      return payload
    },
    async stop() {
      for (const running of started.values()) await (await running).stop()
    },
  }
}

/** `functions/jobs/deliver.ts` becomes `jobs-deliver`. */
function bundleOf(source: string): string {
  return source
    .replace(/^functions\//, '')
    .replace(/\.ts$/, '')
    .replaceAll('/', '-')
}
