import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fail } from '../errors.ts'
import type { Asset, ServedFile } from '../http/served-file.ts'
import type { Environment } from '../runtime/config.ts'
import { makePublic } from './edge.ts'

/** JSON that the build inserts. */
declare const CONSOLE_ASSETS: string

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
}

/**
 * For functions that serve files unchanged.
 * @param folder holds the files that the build puts beside the bundle
 */
export function makeFiles(environment?: Environment, folder = import.meta.dirname) {
  const files = new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith('.gz'))
      .map((name) => [name.slice(0, -'.gz'.length), readFileSync(join(folder, name))]),
  )

  /** @throws ServiceError `ENDPOINT_NOT_FOUND` for a name without a file */
  function fileOf(name = ''): ServedFile {
    const gzipped = files.get(name)
    if (!gzipped) throw fail('ENDPOINT_NOT_FOUND')
    return { type: TYPES[extname(name)] ?? 'text/plain; charset=utf-8', gzipped }
  }

  return { ...makePublic(environment), fileOf }
}

/** For the files that pages load. */
export function makeAssets(environment?: Environment, assets = CONSOLE_ASSETS) {
  const byName: Readonly<Record<string, Asset>> = JSON.parse(assets)
  return { ...makePublic(environment), assets: new Map(Object.entries(byName)) }
}
