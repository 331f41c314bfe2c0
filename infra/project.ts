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

/** The team's own code. */
export const HANDLER_FILES = inProject(HANDLERS)

/** A file as the team sees it, for a message. */
export function shownPath(file: string): string {
  return relative(PROJECT, resolve(ENGINE, file))
}

/** The folder of a package, wherever the package manager has put it. @param user a package that depends on it, if Gatehouse does not */
export function packageFolder(name: string, user?: string): string {
  const base = user === undefined ? import.meta.url : join(packageFolder(user), 'package.json')
  const found = findPackageJSON(name, base)
  if (found === undefined) throw new Error(`the package ${name} is not installed`)
  return dirname(found)
}

/** Where a stage is packaged. The deployment engine moves nothing into another folder of its own name. */
export const STAGE_PACKAGE = inProject('.serverless') === '.serverless' ? '.serverless' : inProject('.package')

/** A module of the engine by its path without ending: TypeScript in a checkout, JavaScript in the package. */
export function moduleFile(path: string): string {
  return join(ENGINE, `${path}${extname(import.meta.filename)}`)
}

/** Whether this is the package, which has no sources of the console, and its bundles ready. */
export const isPackaged = extname(import.meta.filename) === '.js'
