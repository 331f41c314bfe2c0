import { globSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, extname, join, relative, resolve } from 'node:path'
import { env } from 'node:process'
import { HANDLERS } from '../lib/deliver/handler-file.ts'

/** Where Gatehouse's own files are: the working directory of a start and of the deployment engine. */
export const ENGINE = join(import.meta.dirname, '..')

/** The folder of a team, as the command says; in a checkout, it is the engine's. */
const PROJECT = env['GATEHOUSE_PROJECT'] ?? ENGINE

/** The path of what a team owns: configuration, code, stages, data. In a checkout it is relative. */
export function inProject(path: string): string {
  return PROJECT === ENGINE ? path : join(PROJECT, path)
}

/** The files of the team of a pattern, though its folder may have a name with brackets. */
export function globInProject(pattern: string): readonly string[] {
  return globSync(pattern, { cwd: inProject('.') }).map(inProject)
}

/** The path of what Gatehouse makes there: builds, packages, caches. The engine's folder may be read-only, or of several projects. */
export function inWork(path: string): string {
  return PROJECT === ENGINE ? path : join(PROJECT, '.gatehouse', path)
}

/** The team's own code. */
export const HANDLER_FILES = inProject(HANDLERS)

/** A file as the team sees it, for a message. @param file as esbuild names it, from the working directory on */
export function shownPath(file: string): string {
  return relative(PROJECT, resolve(file))
}

/**
 * The folder of a package, wherever the package manager has put it.
 * @param user a file of the package that depends on it, if Gatehouse does not
 * @throws Error where it is not installed
 */
export function packageFolder(name: string, user = import.meta.filename): string {
  return dirname(findPackageJSON(name, user) ?? '')
}

/** Where a stage is packaged. */
export const STAGE_PACKAGE = inWork('.serverless')

/** What is kept to be faster the next time. */
export const CACHE = PROJECT === ENGINE ? join(ENGINE, 'node_modules/.cache/gatehouse') : inWork('cache')

/** What tells the versions of the team's packages: in its folder, or above, where a workspace has it. */
export function lockfiles(folder = inProject('.')): readonly string[] {
  const found = globSync('{package-lock.json,pnpm-lock.yaml,yarn.lock}', { cwd: folder })
  const isLast = found.length > 0 || dirname(folder) === folder
  return isLast ? found.map((name) => join(folder, name)) : lockfiles(dirname(folder))
}

/** A module of the engine by its path without ending: TypeScript in a checkout, JavaScript in the package. */
export function moduleFile(path: string): string {
  return join(ENGINE, `${path}${extname(import.meta.filename)}`)
}

/** Whether this is the package, which has no sources of the console, and its bundles ready. */
export const isPackaged = extname(import.meta.filename) === '.js'
