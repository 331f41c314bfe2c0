import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Finding, failing, passed, warn } from '../../infra/finding.ts'
import type { Environment } from '../../lib/runtime/config.ts'

/** A program that the project uses but does not install. */
export interface Tool {
  readonly check: string
  readonly isThere: boolean
  /** What does not work without it. */
  readonly use: string
  /** Debian's packages. */
  readonly packages: string
  /** Whether nothing works without it. */
  readonly isNeeded: boolean
}

export function checkTool({ check, isThere, use, packages, isNeeded }: Tool): Finding {
  if (isThere) return passed(check, `for ${use}`)
  const found = isNeeded ? failing : warn
  return found(check, `missing, for ${use}`, `apt-get install ${packages}`)
}

/** Debian installs servers here, outside an ordinary user's PATH. */
const SERVERS = '/usr/sbin'

/** Whether all programs are on the PATH. */
export function haveCommands({ PATH = '' }: Environment, ...names: readonly string[]): boolean {
  const folders = [...PATH.split(delimiter), SERVERS]
  return names.every((name) => folders.some((folder) => isExecutable(join(folder, name))))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
