import { readFileSync } from 'node:fs'
import type { Metafile } from 'esbuild'

export interface Package {
  readonly name: string
  readonly version: string
  /** An SPDX expression. */
  readonly licence: string
}

interface Locked {
  /** Present only if it is installed under another name. */
  readonly name?: string
  readonly version: string
  readonly license?: string
  /** Only tools and tests need it. */
  readonly dev?: true
}

/** Licenses that the lockfiles leave out, from a README or an older form of package.json. */
const UNDECLARED: Readonly<Record<string, string>> = { busboy: 'MIT', precond: 'MIT', streamsearch: 'MIT' }

/** All packages in a lockfile, by the folders that they are installed in. */
export function readLockfile(file: string): Readonly<Record<string, Locked>> {
  const { '': _own, ...packages } = JSON.parse(readFileSync(file, 'utf8')).packages
  return packages
}

const LOCKED = readLockfile('package-lock.json')

/** @throws Error for a folder that is not in the lockfile */
export function packageIn(folder: string, locked = LOCKED): Package {
  const entry = locked[folder]
  if (!entry) throw new Error(`${folder} is not in the lockfile`)
  const name = entry.name ?? folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const { version, license = UNDECLARED[name] ?? 'unknown' } = entry
  return { name, version, licence: license.replace(/^\(([^()]*)\)$/, '$1') }
}

/** The folder of the package of a file, wherever node_modules is; undefined for a file of this project. */
export function folderOf(file: string): string | undefined {
  return /\bnode_modules\/(?:.*\bnode_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]
}

/** The folders of the packages that contributed to esbuild's output, sorted. */
export function bundledFolders({ outputs }: Metafile): readonly string[] {
  const folders = Object.values(outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? (folderOf(file) ?? []) : []))
  return [...new Set(folders)].sort()
}
