import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { build } from 'esbuild'

/** A peer's bundle, by its name. */
export type Bundles = ReadonlyMap<string, string>

/** Every peer of a folder: those that answer at the protected endpoint, unless another is named. */
export function bundledPeers(folder: string, peers = 'peers'): Promise<Bundles> {
  const files = globSync(`${import.meta.dirname}/${peers}/*.mjs`).filter((file) => basename(file) !== 'settings.mjs')
  return bundled(files, folder)
}

/**
 * Bundles each file as its users do: one minified CommonJS file, which loads faster than the same as an ECMAScript module
 * (nodejs/node#59686).
 */
export async function bundled(files: readonly string[], folder: string): Promise<Bundles> {
  const names = files.map((file) => basename(file, '.mjs')).sort()
  await build({
    entryPoints: [...files],
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    // Nest looks for these at run time and does without.
    external: ['@nestjs/microservices', '@nestjs/websockets', 'class-transformer', 'class-validator'],
    logLevel: 'warning',
  })
  return new Map(names.map((name) => [name, `${folder}/${name}.cjs`]))
}

/**
 * What a file of `peers/` exports; not by an import that TypeScript follows, for what it imports is only there where
 * somebody benchmarks.
 */
export function peer<T>(file: string): Promise<T> {
  return import(`${import.meta.dirname}/peers/${file}`)
}
