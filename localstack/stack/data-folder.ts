import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { stderr } from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { StartError } from '../errors.ts'
import { SECRETS_FILE } from './secrets.ts'

/** The folder in which a run keeps data for later runs. */
export interface DataFolder {
  /** An absolute path, or `memory`. */
  readonly name: string
  /** The path of a file to keep; undefined if nothing is kept. */
  path(name: string): string | undefined
  /** The log of the gateway, the functions and the emulators; without a path it is standard error. */
  readonly log: { readonly path: string | undefined; readonly descriptor: number }
  /** With the log and what other processes of the run read; it goes with a run in memory. Undefined where no file can be. */
  readonly folder: string | undefined
  /** The path of a file there. */
  own(name: string): string | undefined
  /** Removes files that should not stay, at the end. @param code that of the process: of a failed run the log stays */
  close(code?: number): void
}

const LOG = 'gatehouse.log'

/** The version of the layout of rows and tables. Increase it when stored data of before can no longer be read. */
const LAYOUT = 6

/** The files of a DynamoDB engine in the folder. */
const STORES = ['dynamodb.sqlite', 'dynamodb-local']

/** @throws StartError when another run uses the folder, it cannot be written, or its data have another layout */
export function openDataFolder(setting: string): DataFolder {
  return setting === 'memory' ? openMemory() : openFolder(resolve(setting))
}

/** A container may have no place for a file: what the log would have then goes to standard error. */
function openMemory(): DataFolder {
  const kept = { name: 'memory', path: () => undefined }
  try {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-'))
    const close = (code = 0) =>
      rmSync(code === 0 ? folder : join(folder, SECRETS_FILE), { recursive: true, force: true })
    return { ...kept, log: openLog(folder), folder, own: (name) => join(folder, name), close }
  } catch {
    return {
      ...kept,
      log: { path: undefined, descriptor: stderr.fd },
      folder: undefined,
      own: () => undefined,
      close: () => {},
    }
  }
}

function openFolder(folder: string): DataFolder {
  try {
    mkdirSync(folder, { recursive: true })
    const unlock = lock(join(folder, 'lock'))
    checkLayout(folder, unlock)
    const path = (name: string) => join(folder, name)
    return { name: folder, path, own: path, log: openLog(folder), folder, close: unlock }
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
  const layout = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
  if (layout === LAYOUT) return
  if (isStored) {
    unlock()
    const [age, remedy] = layout > LAYOUT ? ['a newer', 'install that one again'] : ['an older', 'delete it']
    throw new StartError(
      `The data folder ${folder} was written by ${age} version of Gatehouse, which this one cannot read: ${remedy}, or set DATA_DIR to another folder.`,
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
