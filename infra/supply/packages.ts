import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Metafile } from 'esbuild'

interface Package {
  readonly name: string
  readonly version: string
  /** An SPDX expression, or what the package says instead. */
  readonly licence: string
}

/** The package in a folder, as its own package.json describes it: a team's packages may be in no lockfile. */
export function packageIn(folder: string): Package {
  const {
    name = basename(folder),
    version = '',
    ...others
  } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
  // Two older forms: an object with a type, and a list of such objects.
  const stated: readonly unknown[] = [others.license ?? others.licenses ?? []].flat()
  const licences = stated.map((one) => String(typeof one === 'object' && one && 'type' in one ? one.type : one))
  return { name, version, licence: licences.join(' OR ').replace(/^\(([^()]*)\)$/, '$1') || 'unknown' }
}

/**
 * The folder of the package of a file, wherever node_modules is; undefined for a file of this project, and for a module of
 * Node, which esbuild names with a namespace and its importer.
 */
export function folderOf(file: string): string | undefined {
  return /^(?!\w+:)(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]
}

/** The folders of the packages that contributed to esbuild's output, sorted. */
export function bundledFolders({ outputs }: Metafile): readonly string[] {
  const folders = Object.values(outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? (folderOf(file) ?? []) : []))
  return [...new Set(folders)].sort()
}
