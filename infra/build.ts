import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { basename, relative } from 'node:path'
import { argv, getBuiltinModule } from 'node:process'
import { build, type Metafile, type Plugin } from 'esbuild'
import { DIST, publishBuild } from './builds.ts'
import { buildConsole } from './console.ts'
import { compressFiles, SERVED_PACKAGES } from './served-files.ts'
import { NOTICES, noticesOf } from './supply/notices.ts'
import { bundledFolders } from './supply/packages.ts'

/**
 * An ESM import of a Node builtin enumerates its exports, which makes `node:http` load undici: 28 ms of a cold start
 * (nodejs/node#59686). `process.getBuiltinModule` hands over the same object without that. Each importer takes what it
 * names from an own copy: what several share would be a chunk more to load.
 */
const builtins: Plugin = {
  name: 'builtins',
  setup({ onResolve, onLoad }) {
    // The filter runs inside esbuild; asking JavaScript about every import would double the time of a build.
    const names = new RegExp(`^(?:node:)?(?:${builtinModules.join('|')})$`)
    onResolve({ filter: names }, ({ path, kind, importer }) =>
      kind === 'require-call'
        ? { path, namespace: 'required' }
        : { path, suffix: `?${relative('.', importer)}`, namespace: 'imported', sideEffects: false },
    )
    onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = ${builtinOf(path)}`,
    }))
    onLoad({ filter: /.*/, namespace: 'imported' }, ({ path }) => ({ contents: namedExportsOf(path) }))
  },
}

function builtinOf(path: string): string {
  return `process.getBuiltinModule(${JSON.stringify(path)})`
}

/** What nobody imports is left out. With `import *`, getters of what is global anyway would load undici. */
function namedExportsOf(path: string): string {
  const properties = Object.entries(Object.getOwnPropertyDescriptors(getBuiltinModule(path) ?? {}))
  const names = properties
    .filter(([name, { get }]) => name !== 'default' && !(get && name in globalThis))
    .map(([name]) => name)
  return [
    `const all = /* @__PURE__ */ ${builtinOf(path)}`,
    'export default all',
    ...names.map((name) => `const $${name} = /* @__PURE__ */ (() => all.${name})(); export { $${name} as ${name} }`),
  ].join('\n')
}

interface Bundle {
  /** Within a build. */
  readonly outdir: string
  /** The files that it starts with, by the name of what is made of them. */
  readonly entryPoints: { readonly index: string; readonly [name: string]: string }
}

/** The companion container: its process, and what asks that process how it is. */
const ADAPTER: Bundle = {
  outdir: 'adapter',
  entryPoints: { index: 'infra/adapter/main.ts', healthcheck: 'infra/adapter/healthcheck.ts' },
}

function functionBundle(file: string): Bundle {
  return { outdir: file.replace(/^functions\//, '').replace(/\.ts$/, ''), entryPoints: { index: file } }
}

interface Additions {
  readonly define?: Readonly<Record<string, string>>
  /** Folders of packages that are in there without being bundled. */
  readonly packages?: readonly string[]
}

/** @returns what esbuild says of it, with the names that it has in {@link DIST} */
async function buildBundle(
  folder: string,
  { outdir, entryPoints }: Bundle,
  { define = {}, packages = [] }: Additions = {},
): Promise<Metafile> {
  const { metafile } = await build({
    entryPoints,
    outdir: `${folder}/${outdir}`,
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
    define,
    logLevel: 'warning',
    plugins: [builtins],
  })
  dropHelpers(metafile)
  writeFileSync(`${folder}/${outdir}/${NOTICES}`, noticesOf([...bundledFolders(metafile), ...packages]))
  return JSON.parse(JSON.stringify(metafile).replaceAll(`"${folder}/`, `"${DIST}/`))
}

/**
 * Has no file load esbuild's own helpers that takes none of them: a start would wait for one file more. esbuild imports
 * them wherever a part that is loaded later needs them. Blanks take the place of the import, for the sake of source maps.
 */
function dropHelpers({ outputs }: Metafile): void {
  const files = Object.entries(outputs).filter(([name]) => name.endsWith('.mjs'))
  const [helpers] = files.find(([, output]) => standsAlone(output)) ?? []
  if (helpers === undefined) return
  const unused = `import"./${basename(helpers)}";`
  for (const [file, output] of files) {
    const code = readFileSync(file, 'utf8')
    if (!code.includes(unused)) continue
    writeFileSync(file, code.replace(unused, ' '.repeat(unused.length)))
    output.imports = output.imports.filter(({ path }) => path !== helpers)
  }
}

/** Made of no file, and in need of none. */
function standsAlone({ inputs, imports }: Metafile['outputs'][string]): boolean {
  return Object.keys(inputs).length + imports.length === 0
}

/** The key of {@link Metafiles} for what browsers load. */
export const BROWSER = 'web'

/** What esbuild says of each bundle, by the file that `index.mjs` is made of, and of what browsers load. */
export type Metafiles = Readonly<Record<string, Metafile>>

/** Where the build leaves its {@link Metafiles}, outside of every bundle. */
export const METAFILES = `${DIST}/metafiles.json`

/** Bundles each function and the adapter into a folder of its own below {@link DIST}, as local runs, tests, zips and image use it. */
export function buildBundles(): Promise<void> {
  return publishBuild(buildInto)
}

async function buildInto(folder: string): Promise<void> {
  const { manifest, assets, metafile } = await buildConsole()
  // As texts: an object would be a module that every other one of every bundle runs first.
  const define = { CONSOLE_MANIFEST: textOf(manifest), CONSOLE_ASSETS: textOf(assets) }
  const served: typeof SERVED_PACKAGES = { ...SERVED_PACKAGES, 'console/asset': bundledFolders(metafile) }
  const metafiles: Record<string, Metafile> = { [BROWSER]: metafile }
  // One after the other: all at once take as long, and twice the memory.
  for (const bundle of [...globSync('functions/**/*.ts').sort().map(functionBundle), ADAPTER]) {
    const additions = { define, packages: served[bundle.outdir] ?? [] }
    metafiles[bundle.entryPoints.index] = await buildBundle(folder, bundle, additions)
  }
  compressFiles(folder)
  writeFileSync(`${folder}/${basename(METAFILES)}`, JSON.stringify(metafiles))
}

/** JSON, as a literal of JavaScript. */
function textOf(value: object): string {
  return JSON.stringify(JSON.stringify(value))
}

// An image holds one bundle: `node infra/build.ts adapter` makes that one only.
if (argv[1] === import.meta.filename) await (argv[2] === 'adapter' ? buildBundle(DIST, ADAPTER) : buildBundles())
