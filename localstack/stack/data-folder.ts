import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartError } from '../errors.ts'

/** The folder in which a run keeps data for later runs. */
export interface DataFolder {
  /** An absolute path, or `memory`. */
  readonly name: string
  /** The path of a file to keep; undefined if nothing is kept. */
  path(name: string): string | undefined
  /** The log of the gateway, the functions and the emulators. */
  readonly log: { readonly path: string; readonly descriptor: number }
  /** Removes files that should not stay, at an orderly end. */
  close(): void
}

const LOG = 'gatehouse.log'

/** The version of the layout of rows and tables. Increase it when stored data of before can no longer be read. */
const LAYOUT = '6'

/** The files of a DynamoDB engine in the folder. */
const STORES = ['dynamodb.sqlite', 'dynamodb-local']

/** @throws StartError when another run uses the folder, it cannot be written, or its data have another layout */
export function openDataFolder(setting: string): DataFolder {
  return setting === 'memory' ? openMemory() : openFolder(resolve(setting))
}

function openMemory(): DataFolder {
  const temporary = mkdtempSync(join(tmpdir(), 'gatehouse-'))
  return {
    name: 'memory',
    path: () => undefined,
    log: openLog(temporary),
    close: () => rmSync(temporary, { recursive: true, force: true }),
  }
}

function openFolder(folder: string): DataFolder {
  try {
    mkdirSync(folder, { recursive: true })
    const unlock = lock(join(folder, 'lock'))
    checkLayout(folder, unlock)
    return { name: folder, path: (name) => join(folder, name), log: openLog(folder), close: unlock }
  } catch (error) {
    if (error instanceof StartError) throw error
    const reason = error instanceof Error ? error.message : ''
    throw new StartError(`The data folder ${folder} cannot be used: ${reason}. DATA_DIR names another one.`)
  }
}

/**
 * Local data is deployed nowhere, so another layout is not converted. @throws StartError that says to remove the folder
 */
function checkLayout(folder: string, unlock: () => void): void {
  const file = join(folder, 'layout')
  const isStored = STORES.some((store) => existsSync(join(folder, store)))
  const layout = existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
  if (layout === LAYOUT) return
  if (isStored) {
    unlock()
    throw new StartError(
      `The data folder ${folder} was written by another version: delete it, or set DATA_DIR to another one.`,
    )
  }
  writeFileSync(file, `${LAYOUT}\n`)
}

function openLog(folder: string) {
  const path = join(folder, LOG)
  return { path, descriptor: openSync(path, 'a') }
}

/** Uses SQLite's lock, which the system releases when the process ends, however it ends. */
function lock(file: string): () => void {
  const database = new DatabaseSync(file)
  try {
    database.exec('PRAGMA busy_timeout = 500; BEGIN EXCLUSIVE')
  } catch (error) {
    throw isBusy(error) ? new Error('another run is using it', { cause: error }) : error
  }
  return () => database.close()
}

/** SQLITE_BUSY (sqlite.org/rescode.html). */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5
}
