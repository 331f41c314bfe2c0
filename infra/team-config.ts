import { existsSync } from 'node:fs'
import { exit, stderr } from 'node:process'
import { type BuildFailure, build, type Plugin } from 'esbuild'
import { checkedConfig } from '../lib/deliver/configured/read.ts'
import type { Team } from '../lib/deliver/handler-file.ts'
import { ConfigError } from '../lib/runtime/config.ts'
import { SERVICE } from '../lib/runtime/settings/edge.ts'
import { type Catalog, catalogFrom } from '../lib/webhooks/sources/catalog.ts'
import { TEAM_CONFIG } from './builds.ts'
import { foundHandlers } from './handlers.ts'
import { HANDLER_FILES, moduleFile, shownPath } from './project.ts'
import { teamResources } from './team-resources.ts'

/** What a team imports by name, wherever its files are. */
export const PUBLIC = { gatehouse: moduleFile('lib/gatehouse') }

const TITLE = 'Wrong configuration, gatehouse.config.ts'

/**
 * The module beside a bundle with what the team configures and the events of its code. So a bundle is the same for every
 * team.
 */
export const TEAM_MODULE = 'team.mjs'

/** Makes bundles import that module in the place of lib/app/team.ts. */
export const teamOutside: Plugin = {
  name: 'team-outside',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/team\.[jt]s$/ }, () => ({ path: `./${TEAM_MODULE}`, external: true }))
  },
}

/** The text of that module. A configuration is data, so nothing of its file is left. */
export function textOfTeam(team: Team): string {
  return `export const team = JSON.parse(${JSON.stringify(JSON.stringify(team))})\n`
}

/**
 * The team's configuration and its code; empty if there is none.
 * @param stage on which every value must exist; without a stage that is not checked
 * @throws ConfigError naming everything that is wrong with it
 */
export async function configuredTeam(stage?: string, file = TEAM_CONFIG, folder = HANDLER_FILES): Promise<Team> {
  const resources = Object.keys(await teamResources())
  return checkedConfig(existsSync(file) ? await evaluated(file) : {}, stage, await foundHandlers(folder), resources)
}

/** The sources with those of the team's configuration. @throws as {@link configuredTeam} */
export async function configuredSources(file = TEAM_CONFIG): Promise<Catalog> {
  return catalogFrom(await configuredTeam(undefined, file))
}

/** What the names of a stage begin with, without the stage. A local run, which is alone, is not named by the team. */
export async function serviceName(stage: string): Promise<string> {
  const { name = SERVICE } = stage === 'local' ? {} : await teamOrExit()
  return name
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
  return location ? `${shownPath(location.file)}:${location.line}: ${text}` : text
}
