import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { exit, stderr } from 'node:process'
import { type BuildFailure, build, type Plugin } from 'esbuild'
import { checkedConfig } from '../lib/deliver/configured/read.ts'
import { HANDLERS, type Team } from '../lib/deliver/handler-file.ts'
import { ConfigError } from '../lib/runtime/config.ts'
import { type Catalog, catalogFrom } from '../lib/webhooks/sources/catalog.ts'
import { TEAM_CONFIG } from './builds.ts'
import { foundHandlers } from './handlers.ts'

/** What a team imports by name, wherever its files are. */
export const PUBLIC = { gatehouse: join(import.meta.dirname, '../lib/gatehouse.ts') }

const TITLE = 'Wrong configuration, gatehouse.config.ts'

/** Adds to the bundles the team's configuration and the events of the team's code; the code itself stays out. */
export function teamConfig(file = TEAM_CONFIG, folder: string = HANDLERS): Plugin {
  return {
    name: 'team-config',
    setup({ onLoad }) {
      onLoad({ filter: /[/\\]lib[/\\]app[/\\]team\.ts$/ }, async ({ path }) => {
        const found = await foundHandlers(folder)
        if (found.length === 0 && !existsSync(file)) return undefined
        const errors = found.flatMap(({ path: handler, problem }) =>
          problem ? [{ text: problem.text, location: { file: `${folder}/${handler}.ts`, ...problem } }] : [],
        )
        const handlerFiles = found.map(({ path: handler, on, repeats }) => {
          const [source, name] = handler.split('/')
          return { source, name, on, repeats }
        })
        const config = existsSync(file) ? `import config from ${JSON.stringify(resolve(file))}` : 'const config = {}'
        const contents = `${config}\nexport const team = { ...config, handlerFiles: ${JSON.stringify(handlerFiles)} }`
        return { contents, loader: 'ts', resolveDir: dirname(path), errors }
      })
    },
  }
}

/**
 * The team's configuration and its code; empty if there is none.
 * @param stage on which every value must exist; without a stage that is not checked
 * @throws ConfigError naming everything that is wrong with it
 */
export async function configuredTeam(stage?: string, file = TEAM_CONFIG, folder: string = HANDLERS): Promise<Team> {
  return checkedConfig(existsSync(file) ? await evaluated(file) : {}, stage, await foundHandlers(folder))
}

/** The sources with those of the team's configuration. @throws as {@link configuredTeam} */
export async function configuredSources(file = TEAM_CONFIG): Promise<Catalog> {
  return catalogFrom(await configuredTeam(undefined, file))
}

/** As {@link configuredTeam}; a wrong configuration ends this process with exit code 2. */
export async function teamOrExit(stage?: string): Promise<Team> {
  try {
    return await configuredTeam(stage)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    stderr.write(`${error.message}\n`)
    exit(2)
  }
}

/** The configuration as the file exports it, valid or not. @throws ConfigError if the file cannot be run */
async function evaluated(file: string): Promise<unknown> {
  const code = await bundled(file)
  try {
    const { default: config } = await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)
    return config
  } catch (cause) {
    throw new ConfigError([`it cannot be run: ${cause instanceof Error ? cause.message : String(cause)}`], TITLE)
  }
}

async function bundled(file: string): Promise<string> {
  try {
    const { outputFiles, metafile } = await build({
      entryPoints: [file],
      bundle: true,
      alias: PUBLIC,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'node',
      logLevel: 'silent',
      // The second of two sources or destinations of one name would silently replace the first.
      logOverride: { 'duplicate-object-key': 'error' },
    })
    const [output] = Object.values(metafile.outputs)
    if (!output?.exports.includes('default')) throw new ConfigError(['it must have a default export'], TITLE)
    return outputFiles[0]?.text ?? ''
  } catch (error) {
    if (!isBuildFailure(error)) throw error
    throw new ConfigError(error.errors.map(placed), TITLE)
  }
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors)
}

function placed({ text, location }: BuildFailure['errors'][number]): string {
  return location ? `${location.file}:${location.line}: ${text}` : text
}
