import { existsSync, mkdtempSync, rmdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Finding, failing, passed } from '../../infra/finding.ts'

/** Creates something in a folder and removes it again. @throws Error with the system's code */
export type Try = (folder: string) => void

/** Tries out whether data can be kept. */
export function checkDataFolder(setting: string, attempt: Try = makeAndRemove): Finding {
  if (setting === 'memory') return passed('data folder', 'none, as DATA_DIR says')
  const folder = resolve(setting)
  try {
    attempt(nearest(folder))
    return passed('data folder', folder)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
    const remedy = 'make it writable for you, or name another one in DATA_DIR'
    return failing('data folder', `${folder} cannot be written (${code})`, remedy)
  }
}

/** The folder, or its nearest existing parent, in which it will be created. */
function nearest(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearest(dirname(folder))
}

function makeAndRemove(folder: string): void {
  rmdirSync(mkdtempSync(join(folder, '.gatehouse-')))
}
