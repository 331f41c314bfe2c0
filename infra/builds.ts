import { createHash, randomUUID } from 'node:crypto'
import {
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { kill, pid } from 'node:process'
import { inProject } from './project.ts'

const BUILDS = '.builds'

/**
 * Where the bundles are that are deployed: a link to the newest build. Each build has a folder of its own that does not
 * change once it is made, so a process that runs a build finds all its files even after the next one.
 */
export const DIST = 'dist'

/** Where a local run has its functions from: a link to the newest build of all of them at once. */
export const LOCAL_DIST = `${BUILDS}/local`

export type Link = typeof DIST | typeof LOCAL_DIST

/** Where the package has each build, made for no team. */
export const READY: Readonly<Record<Link, string>> = { [DIST]: 'ready/dist', [LOCAL_DIST]: 'ready/local' }

/** What a team configures; it may be absent. */
export const TEAM_CONFIG = inProject('gatehouse.config.ts')

/** All sources of the bundles. */
export const SOURCES = [
  TEAM_CONFIG,
  inProject('handlers/**/*.*'),
  'functions/**/*.ts',
  'lib/**/*.ts',
  'proto/gen/**/*.ts',
  'web/**/*.*',
  'infra/*.ts',
  'infra/adapter/*.ts',
  'infra/reference/*.ts',
  'infra/supply/*.ts',
  'docs/openapi.json',
  inProject('package-lock.json'),
]

/** The file of a build that tells its sources. */
const STAMP = '.sources'

/** Why the newest build does not match the current sources; undefined if it does. */
export function reasonToBuild(link: Link): string | undefined {
  const [stamped, wanted] = [stampOf(join(link, STAMP)), currentStamp()]
  if (stamped === wanted) return undefined
  if (stamped === undefined) return 'the first build'
  return stamped.split(' ')[0] === wanted.split(' ')[0] ? 'gatehouse.config.ts has changed' : 'the sources have changed'
}

/** The digest of all sources but the team's configuration, and the digest of that one. */
function currentStamp(): string {
  const own = globSync(SOURCES).filter((file) => file !== TEAM_CONFIG)
  return `${digestOf(own)} ${digestOf(globSync(TEAM_CONFIG))}`
}

/** Keeps the newest build, and later ones, for as long as this process lives. */
export function keepBuilds(): void {
  mkdirSync(BUILDS, { recursive: true })
  writeFileSync(join(BUILDS, `kept-by-${pid}`), '')
  removeOldBuilds()
}

/** Makes a build and points the link at it. The one before stays until the next: a process may be loading it. */
export async function publishBuild(target: Link, make: (folder: string) => Promise<void>): Promise<void> {
  keepBuilds()
  const before = buildOf(target)
  const stamp = currentStamp()
  const folder = newFolder()
  await make(folder)
  writeFileSync(join(folder, STAMP), stamp)
  const link = join(BUILDS, `link-${pid}`)
  symlinkSync(relative(dirname(target), folder), link)
  setAsideFolder()
  renameSync(link, target)
  removeOldBuilds(before)
}

/** Makes the folder of a build. It goes when no link leads to it and no process keeps it. */
function newFolder(): string {
  const folder = join(BUILDS, `build-${randomUUID()}`, DIST)
  mkdirSync(folder, { recursive: true })
  return folder
}

/** In a checkout older than the links, {@link DIST} is a folder; another process may move it away at the same time. */
function setAsideFolder(): void {
  if (!lstatSync(DIST, { throwIfNoEntry: false })?.isDirectory()) return
  try {
    renameSync(DIST, join(BUILDS, `build-${randomUUID()}`))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}

/** The name of the build that a link leads to. */
const buildOf = (link: Link) => (existsSync(link) ? basename(dirname(realpathSync(link))) : undefined)

/** Removes all builds but the newest, unless another process needs them. */
function removeOldBuilds(before?: string): void {
  const keepers = globSync(`${BUILDS}/kept-by-*`)
  const dead = keepers.filter((file) => !isAlive(Number(file.split('-').at(-1))))
  for (const file of dead) rmSync(file, { force: true })
  if (keepers.length - dead.length > 1) return
  const kept = [before, buildOf(DIST), buildOf(LOCAL_DIST)]
  const old = globSync(`${BUILDS}/build-*`).filter((folder) => !kept.includes(basename(folder)))
  for (const folder of old) rmSync(folder, { recursive: true, force: true })
}

function isAlive(process: number): boolean {
  try {
    return kill(process, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** One digest of the names and contents of files. */
export function digestOf(files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files.toSorted()) {
    const content = readFileSync(file)
    hash.update(`${file} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

/** The digest stored in a file; undefined if there is no such file. */
export function stampOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
