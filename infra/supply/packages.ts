import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Metafile } from 'esbuild'

export interface Package {
  readonly name: string
  readonly version: string
  /** An SPDX expression. */
  readonly licence: string
  /** The hash of its archive according to the registry (Subresource Integrity). */
  readonly integrity: string
}

interface Locked {
  /** Present only if it is installed under another name. */
  readonly name?: string
  readonly version: string
  readonly license?: string
  readonly integrity: string
  /** Only tools and tests need it. */
  readonly dev?: true
}

/** Licenses that the lockfile leaves out, from a README or an older form of package.json. */
const UNDECLARED: Readonly<Record<string, string>> = { busboy: 'MIT', precond: 'MIT', streamsearch: 'MIT' }

/** Folders whose packages are installed on use and are not in package.json. An image is built without them. */
export const FOLDERS_OF_THEIR_OWN = ['bench', 'test/mutants/stryker'] as const

/** All packages in the lockfiles, by the folders that they are installed in. */
export const LOCKED: Readonly<Record<string, Locked>> = Object.fromEntries(
  globSync(['.', ...FOLDERS_OF_THEIR_OWN].map((folder) => join(folder, 'package-lock.json'))).flatMap((file) => {
    const { packages }: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(readFileSync(file, 'utf8'))
    const installed = Object.entries(packages).filter(([folder]) => folder !== '')
    return installed.map(([folder, entry]) => [join(dirname(file), folder), entry])
  }),
)

/** @throws Error for a folder that is in no lockfile */
export function packageIn(folder: string): Package {
  const entry = LOCKED[folder]
  if (!entry) throw new Error(`${folder} is in no lockfile`)
  const name = entry.name ?? folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const { version, license = UNDECLARED[name] ?? 'unknown', integrity } = entry
  return { name, version, licence: license.replace(/^\(([^()]*)\)$/, '$1'), integrity }
}

/** The folder of the package that a file belongs to, wherever node_modules is; undefined for a file of ours. */
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
