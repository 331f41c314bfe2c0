import { globSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { basename, relative } from 'node:path'
import { argv, env, getBuiltinModule } from 'node:process'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import { HANDLERS, handlerPath } from '../lib/deliver/handler-file.ts'
import { DIST, publishBuild, TEAM_CONFIG } from './builds.ts'
import { buildConsole } from './console.ts'
import { writeServed } from './served-files.ts'
import { NOTICES, noticesOf } from './supply/notices.ts'
import { bundledFolders } from './supply/packages.ts'
import { teamConfig, teamOrExit } from './team-config.ts'

// esbuild is a Go process: with fewer collections of its garbage, all bundles together take a quarter less CPU.
env['GOGC'] ??= '400'

/**
 * An ESM import of a Node builtin enumerates its exports, which makes `node:http` load undici: 28 ms of a cold start
 * (nodejs/node#59686). `process.getBuiltinModule` returns the same object without that. Each importer gets the names
 * that it uses from a copy of its own, because a shared one would be a further chunk to load.
 */
const builtins: Plugin = {
  name: 'builtins',
  setup({ onResolve, onLoad }) {
    // The filter runs inside esbuild; a call into JavaScript for every import would double the build time.
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

/** Exports only what is imported. With `import *`, getters of globals that exist anyway would load undici. */
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

export interface Bundle {
  /** A path relative to the folder of a build. */
  readonly outdir: string
  /** The source files of the bundle, by the name of their output. */
  readonly entryPoints: { readonly index: string; readonly [name: string]: string }
}

/** The companion container: its process and its health check. */
export const ADAPTER: Bundle = {
  outdir: 'adapter',
  entryPoints: { index: 'infra/adapter/main.ts', healthcheck: 'infra/adapter/healthcheck.ts' },
}

/** The bundle of a file of the team's own code: a process that serves it. @param path as `shop/order-paid` */
export function handlerBundle(path: string): Bundle {
  return { outdir: `${HANDLERS}/${path}`, entryPoints: { index: `${SERVED}${path}` } }
}

/** The prefix of a handler's path in the name of its entry point. */
const SERVED = 'served-handler:'

/**
 * `serveHandler` loads the handler's file, so that it also reports an error that the file throws while it is loaded.
 */
const servedHandlers: Plugin = {
  name: 'served-handlers',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^${SERVED}`) }, ({ path }) => ({
      path: path.slice(SERVED.length),
      namespace: 'served-handler',
    }))
    onLoad({ filter: /.*/, namespace: 'served-handler' }, ({ path }) => ({
      contents: `import { serveHandler } from './lib/adapters/process/serve-handler.ts'
        serveHandler(() => import(${JSON.stringify(`./${HANDLERS}/${path}.ts`)}))`,
      resolveDir: '.',
    }))
  },
}

export function functionBundle(file: string): Bundle {
  return { outdir: file.replace(/^functions\//, '').replace(/\.ts$/, ''), entryPoints: { index: file } }
}

interface Additions {
  readonly define?: Readonly<Record<string, string>>
  /** Folders of packages that are deployed with it without being bundled. */
  readonly packages?: readonly string[]
}

/** How esbuild makes a bundle in its `outdir`. @param team the file of the team's configuration */
export function bundleOptions({ outdir, entryPoints }: Bundle, team = TEAM_CONFIG) {
  return {
    entryPoints,
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
    plugins: [builtins, servedHandlers, teamConfig(team)],
  } as const satisfies BuildOptions
}

/** @returns esbuild's metafile, with paths as in {@link DIST} */
async function buildBundle(
  folder: string,
  { outdir, entryPoints }: Bundle,
  { define = {}, packages = [] }: Additions = {},
): Promise<Metafile> {
  const { metafile } = await build({ ...bundleOptions({ outdir: `${folder}/${outdir}`, entryPoints }), define })
  writeServed(outdir, `${folder}/${outdir}`)
  writeFileSync(`${folder}/${outdir}/${NOTICES}`, noticesOf([...bundledFolders(metafile), ...packages]))
  return JSON.parse(JSON.stringify(metafile).replaceAll(`"${folder}/`, `"${DIST}/`))
}

/** The key of {@link Metafiles} for the browser bundles. */
export const BROWSER = 'web'

/** esbuild's metafile of each bundle, by the source file of `index.mjs`, and that of the browser bundles. */
export type Metafiles = Readonly<Record<string, Metafile>>

/** Where the build puts its {@link Metafiles}, outside every bundle. */
export const METAFILES = `${DIST}/metafiles.json`

/**
 * Bundles each function and the adapter into a folder of its own below {@link DIST}, for local runs, tests, zips and
 * the image.
 */
export function buildBundles(): Promise<void> {
  return publishBuild(buildInto)
}

async function buildInto(folder: string): Promise<void> {
  const { handlerFiles = [] } = await teamOrExit()
  const { manifest, assets, metafile } = await buildConsole()
  // As texts: as an object, each would be a module that every bundle runs first.
  const names = textOf(manifest)
  const define = { CONSOLE_MANIFEST: names, ERROR_PAGE_MANIFEST: names, CONSOLE_ASSETS: textOf(assets) }
  const browser = bundledFolders(metafile)
  const metafiles: Record<string, Metafile> = { [BROWSER]: metafile }
  // One after the other: in parallel they take as long, and twice the memory.
  const functions = globSync('functions/**/*.ts').sort().map(functionBundle)
  for (const bundle of [...functions, ...handlerFiles.map(handlerPath).map(handlerBundle), ADAPTER]) {
    const additions = { define, packages: bundle.outdir === 'console/asset' ? browser : [] }
    metafiles[bundle.entryPoints.index] = await buildBundle(folder, bundle, additions)
  }
  writeFileSync(`${folder}/${basename(METAFILES)}`, JSON.stringify(metafiles))
}

/** JSON as a JavaScript literal. */
function textOf(value: object): string {
  return JSON.stringify(JSON.stringify(value))
}

// An image holds one bundle: `node infra/build.ts adapter` builds only that one.
if (argv[1] === import.meta.filename) await (argv[2] === 'adapter' ? buildBundle(DIST, ADAPTER) : buildBundles())
