import { mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartError } from './start-error.ts'

/** Where a run keeps what it should find again. */
export interface DataFolder {
  /** An absolute path, or `memory`. */
  readonly name: string
  /** The path of something to keep; undefined where nothing is kept. */
  path(name: string): string | undefined
  /** Where everything goes that the gateway, the functions and the emulators print. */
  readonly log: { readonly path: string; readonly descriptor: number }
  /** For a good end: removes what was not meant to stay. */
  close(): void
}

const LOG = 'gatehouse.log'

/** @throws StartError when another run uses the folder or it cannot be written */
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
    return { name: folder, path: (name) => join(folder, name), log: openLog(folder), close: unlock }
  } catch (error) {
    const reason = error instanceof Error ? error.message : ''
    throw new StartError(`The data folder ${folder} cannot be used: ${reason}. DATA_DIR names another one.`)
  }
}

function openLog(folder: string) {
  const path = join(folder, LOG)
  return { path, descriptor: openSync(path, 'a') }
}

/** SQLite's lock is the system's: it falls with the process, however that ends. */
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
