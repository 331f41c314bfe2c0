import { globSync, rmSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { argv } from 'node:process'
import { build, type Metafile, type Plugin } from 'esbuild'

/**
 * An ESM import of a Node builtin enumerates its exports, which makes `node:http` load undici: 28 ms of a cold start
 * (nodejs/node#59686). `process.getBuiltinModule` hands over the same object without that.
 */
const builtins: Plugin = {
  name: 'builtins',
  setup({ onResolve, onLoad }) {
    // The filter runs inside esbuild; asking JavaScript about every import would double the time of a build.
    const names = new RegExp(`^(?:node:)?(?:${builtinModules.join('|')})$`)
    onResolve({ filter: names }, ({ path }) => ({ path, namespace: 'builtin' }))
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`,
      loader: 'js',
    }))
  },
}

/** The process of the companion container. */
const ADAPTER = 'infra/adapter/main.ts'

function folderOf(file: string): string {
  return file === ADAPTER ? 'dist/adapter' : file.replace(/^functions/, 'dist').replace(/\.ts$/, '')
}

async function buildBundle(file: string): Promise<Metafile> {
  const outdir = folderOf(file)
  const { metafile } = await build({
    entryPoints: { index: file },
    outdir,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunk-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    conditions: ['module', 'import'],
    minify: true,
    sourcemap: 'linked',
    sourcesContent: false,
    metafile: true,
    logLevel: 'warning',
    plugins: [builtins],
  })
  const stale = globSync(`${outdir}/*`).filter((output) => !Object.hasOwn(metafile.outputs, output))
  for (const output of stale) rmSync(output)
  return metafile
}

/** What esbuild says of each bundle, by the file that it starts with. */
export type Metafiles = Readonly<Record<string, Metafile>>

/** Where the build leaves its {@link Metafiles}, outside of every bundle. */
export const METAFILES = 'dist/metafiles.json'

/** Bundles each function and the adapter into a folder of its own below `dist/`, as local runs, tests, zips and image use it. */
export async function buildBundles(): Promise<void> {
  const metafiles: Record<string, Metafile> = {}
  // One after the other: all at once take as long, and twice the memory.
  for (const file of [...globSync('functions/**/*.ts').sort(), ADAPTER]) metafiles[file] = await buildBundle(file)
  writeFileSync(METAFILES, JSON.stringify(metafiles))
}

if (argv[1] === import.meta.filename) await buildBundles()
