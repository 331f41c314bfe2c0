import { createHash, randomUUID } from 'node:crypto'
import {
  existsSync,
  globSync,
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
import { globInProject, inProject, inWork, isPackaged, lockfiles } from './project.ts'

const BUILDS = inWork('.builds')

/**
 * Where the bundles are that are deployed, as serverless.yml says: a link to the newest build. Each build has a folder of
 * its own that does not change once it is made, so a process that runs a build finds all its files even after the next one.
 */
export const DIST = 'dist'

/** Where a local run has its functions from: a link to the newest build of all of them at once. */
export const LOCAL_DIST = '.builds/local'

export type Link = typeof DIST | typeof LOCAL_DIST

/** Where the package has each build, made for no team. */
export const READY: Readonly<Record<Link, string>> = { [DIST]: 'ready/dist', [LOCAL_DIST]: 'ready/local' }

/** What the package has of the sources that these are made from: their digest. */
export const READY_SOURCES = 'ready/sources'

/** What a team configures; it may be absent. */
export const TEAM_CONFIG = inProject('gatehouse.config.ts')

/** The sources of the bundles that are Gatehouse's. */
const SOURCES = [
  'functions/**/*.ts',
  'lib/**/*.ts',
  'proto/gen/**/*.ts',
  'web/**/*.*',
  'infra/*.ts',
  'infra/adapter/*.ts',
  'infra/reference/*.ts',
  'infra/supply/*.ts',
  'docs/openapi.json',
]

/** All sources of the bundles but the team's configuration. A package has the digest of its own. */
export function sources(): readonly string[] {
  return [...(isPackaged ? [READY_SOURCES] : globSync(SOURCES)), ...globInProject('handlers/**/*.*'), ...lockfiles()]
}

/** The file of a build that names its sources. */
const STAMP = '.sources'

/** Why the newest build does not match the current sources; undefined if it does. */
export function reasonToBuild(link: Link): string | undefined {
  const [stamped, wanted] = [stampOf(inWork(join(link, STAMP))), currentStamp()]
  if (stamped === wanted) return undefined
  if (stamped === undefined) return 'the first build'
  return stamped.split(' ')[0] === wanted.split(' ')[0] ? 'gatehouse.config.ts has changed' : 'the sources have changed'
}

/**
 * Makes a build, unless the newest one is from the same sources. Most starts need none, and load no bundler.
 * @param during gets the reason for a build, and the build
 */
export async function freshBuild(
  link: Link,
  during = (_reason: string, work: Promise<void>): Promise<void> => work,
): Promise<void> {
  const reason = reasonToBuild(link)
  if (reason !== undefined)
    await during(
      reason,
      import('./build.ts').then(({ makeBuild }) => makeBuild(link)),
    )
}

/** The digest of all sources but the team's configuration, and the digest of that one. */
export function currentStamp(): string {
  return `${digestOf(sources())} ${digestOf([TEAM_CONFIG].filter(existsSync))}`
}

/** Keeps the newest build, and later ones, for as long as this process lives. Where nothing can be written, nothing goes. */
export function keepBuilds(): void {
  try {
    mkdirSync(BUILDS, { recursive: true })
    writeFileSync(join(BUILDS, `kept-by-${pid}`), '')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EROFS') return
    throw error
  }
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
  const [link, place] = [join(BUILDS, `link-${pid}`), inWork(target)]
  symlinkSync(relative(dirname(place), folder), link)
  renameSync(link, place)
  removeOldBuilds(before)
}

/** Makes the folder of a build, a relative path as in what esbuild reports. It goes when no link leads to it and no process keeps it. */
function newFolder(): string {
  const folder = join(relative('.', BUILDS), `build-${randomUUID()}`, DIST)
  mkdirSync(folder, { recursive: true })
  return folder
}

/** The name of the build that a link leads to. */
const buildOf = (link: Link) => (existsSync(inWork(link)) ? basename(dirname(realpathSync(inWork(link)))) : undefined)

/** Removes all builds but the newest, unless another process needs them. */
function removeOldBuilds(before?: string): void {
  const namesOf = (pattern: string) => globSync(pattern, { cwd: BUILDS })
  const keepers = namesOf('kept-by-*')
  const dead = keepers.filter((file) => !isAlive(Number(file.split('-').at(-1))))
  for (const file of dead) rmSync(join(BUILDS, file), { force: true })
  if (keepers.length - dead.length > 1) return
  const kept = [before, buildOf(DIST), buildOf(LOCAL_DIST)]
  const old = namesOf('build-*').filter((folder) => !kept.includes(folder))
  for (const folder of old) rmSync(join(BUILDS, folder), { recursive: true, force: true })
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
