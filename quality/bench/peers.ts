import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { build } from 'esbuild'

/** Bundles, by the name of their subject. */
export type Bundles = ReadonlyMap<string, string>

/**
 * Bundles each peer of a folder as its users do: one minified CommonJS file, which loads faster than the same as an
 * ECMAScript module (nodejs/node#59686).
 * @param folder where they go to
 */
export async function bundledPeers(folder: string, peers = 'warm'): Promise<Bundles> {
  const files = globSync(`${import.meta.dirname}/peers/${peers}/*.mjs`)
  await build({
    entryPoints: files,
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    logLevel: 'warning',
  })
  const names = files.map((file) => basename(file, '.mjs')).sort()
  return new Map(names.map((name) => [name, `${folder}/${name}.cjs`]))
}
