import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { stderr } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { buildLocal, problemOf } from '../../infra/build.ts'
import { LOCAL_DIST, reasonToBuild, sources, TEAM_CONFIG } from '../../infra/builds.ts'
import { globInProject, inWork, shownPath } from '../../infra/project.ts'
import { configuredTeam, TEAM_MODULE } from '../../infra/team-config.ts'
import type { Team } from '../../lib/deliver/handler-file.ts'

/** What a run reads only at its start: the description of the cloud, its emulators, and how bundles are built. */
const RUN = [
  'serverless.yml',
  'infra/{*,deliver/*,resources/*}.*',
  'localstack/{*,providers/*,senders/*,stack/**/*}.*',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]
const OF_TEAM = '{gatehouse.config.ts,users.json,resources.yml}'

/** The interval between looks at the files, in milliseconds. A watcher would miss a save now and then. */
const GLANCE = 250

interface Restarts {
  /** For other code of the channels. */
  readonly channels: () => Promise<void>
  /** For other handlers, or handlers of other events: each needs a queue and a function of its own. */
  readonly gateway: () => void
}

/**
 * Follows the sources until this process ends. What has changed is built, and served from the next call on. What cannot
 * be built is reported once, and the build before it stays.
 * @param team as the run has it since its start
 */
export async function followSources({ handlerFiles = [] }: Team, restart: Restarts): Promise<never> {
  const [changedSources, changedOfRun] = [
    changesOf(() => [...sources(), TEAM_CONFIG]),
    changesOf(() => [...globSync(RUN), ...globInProject(OF_TEAM)]),
  ]
  const built = inWork(LOCAL_DIST)
  // It names its parts by their content, but what the team configures.
  const codeOfChannels = () =>
    ['adapter/index.mjs', ...globSync(`**/${TEAM_MODULE}`, { cwd: built })]
      .map((file) => readFileSync(join(built, file), 'utf8'))
      .join()
  let channels = codeOfChannels()
  let handlers = handlerFiles
  let isBehind = reasonToBuild(LOCAL_DIST) !== undefined
  let problem: string | undefined
  let reported: string | undefined

  async function build(changed: readonly string[]): Promise<void> {
    const began = performance.now()
    isBehind = false
    await buildLocal()
    report(
      `${listed(changed) || 'Changes during the start'}: built in ${((performance.now() - began) / 1000).toFixed(1)} s`,
    )
    const [handlersBefore, channelsBefore] = [handlers, channels]
    handlers = (await configuredTeam()).handlerFiles ?? []
    channels = codeOfChannels()
    if (!isDeepStrictEqual(handlers, handlersBefore)) restart.gateway()
    if (channels !== channelsBefore) await restart.channels()
  }

  for (;;) {
    await setTimeout(GLANCE, undefined, { ref: false })
    const ofRun = changedOfRun()
    if (ofRun.length > 0) report(`Changed: ${listed(ofRun)}. To take it over, restart \`npx gatehouse dev\`.`)
    const changed = changedSources()
    if (changed.length > 0 || isBehind) problem = await build(changed).then(() => undefined, problemOf)
    // A checkout removes files for a moment: a problem counts when nothing has changed since.
    else reported = reportOnce(problem, reported)
  }
}

function reportOnce(problem: string | undefined, reported: string | undefined): string | undefined {
  if (problem !== undefined && problem !== reported) report(problem)
  return problem
}

/** A function that names the files that have changed since it was called last: another inode, time or size. */
function changesOf(files: () => readonly string[]): () => readonly string[] {
  const signatures = () => new Map(files().map((file) => [file, signatureOf(file)]))
  let known = signatures()
  return () => {
    const [before, present] = [known, signatures()]
    known = present
    return [...new Set([...before.keys(), ...present.keys()])].filter((file) => before.get(file) !== present.get(file))
  }
}

function signatureOf(file: string): string {
  const status = statSync(file, { bigint: true, throwIfNoEntry: false })
  return status === undefined ? '' : `${status.ino} ${status.mtimeNs} ${status.size}`
}

/** The names of files, of a large change only some. */
function listed(files: readonly string[]): string {
  const [shown, more] = [files.slice(0, 3).map(shownPath).join(', '), files.length - 3]
  return more > 0 ? `${shown} and ${more} more` : shown
}

function report(text: string): void {
  stderr.write(`${text}\n`)
}
