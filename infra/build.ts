import { execFileSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { argv, env, execPath, exit, stderr } from 'node:process'
import {
  type BuildFailure,
  type BuildOptions,
  type BuildResult,
  build,
  formatMessages,
  type Metafile,
  type Plugin,
  stop,
} from 'esbuild'
import { HANDLERS, handlerPath, type Team } from '../lib/deliver/handler-file.ts'
import { ConfigError } from '../lib/runtime/config.ts'
import manifest from '../package.json' with { type: 'json' }
import { DIST, type Link, LOCAL_DIST, publishBuild, READY } from './builds.ts'
import { buildConsole } from './console.ts'
import { HANDLER_FILES, isPackaged, moduleFile, shownPath } from './project.ts'
import { writeServed } from './served-files.ts'
import { bundledFolders, NOTICES, noticesOf, shippedText, titleOf } from './supply/notices.ts'
import { configuredTeam, PUBLIC, TEAM_MODULE, teamOrExit, teamOutside, textOfTeam } from './team-config.ts'

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

/** Exports only what is imported. */
function namedExportsOf(path: string): string {
  names ??= namesOfBuiltins()
  return [
    `const all = /* @__PURE__ */ ${builtinOf(path)}`,
    'export default all',
    ...(names[path.replace(/^node:/, '')] ?? []).map(
      (name) => `const $${name} = /* @__PURE__ */ (() => all.${name})(); export { $${name} as ${name} }`,
    ),
  ].join('\n')
}

let names: Readonly<Record<string, readonly string[]>> | undefined

/**
 * What each builtin of this Node has to export, as a process of its own sees it: what a builtin has, and so how esbuild
 * names what is left of it, depends on how a process was started. With `import *`, getters of globals that exist anyway
 * would load undici.
 */
function namesOfBuiltins(): NonNullable<typeof names> {
  const script = `console.log(JSON.stringify(Object.fromEntries(require('node:module').builtinModules.map((path) => [
    path,
    Object.entries(Object.getOwnPropertyDescriptors(process.getBuiltinModule(path)))
      .filter(([name, { get }]) => name !== 'default' && !(get && name in globalThis))
      .map(([name]) => name),
  ]))))`
  return JSON.parse(execFileSync(execPath, ['--no-warnings', '-e', script], { encoding: 'utf8', env: {} }))
}

export interface Bundle {
  /** A path relative to the folder of a build. */
  readonly outdir: string
  /** The source files of the bundle, by the name of their output. */
  readonly entryPoints: { readonly index: string; readonly [name: string]: string }
  /** A line before its code. */
  readonly banner?: { readonly js: string }
}

/** The companion container: its process and its health check. */
export const ADAPTER: Bundle = {
  outdir: 'adapter',
  entryPoints: { index: 'infra/adapter/main.ts', healthcheck: 'infra/adapter/healthcheck.ts' },
}

/** The bundle of a file of the team's own code: a process that serves it. @param path as `shop/order-paid` */
export function handlerBundle(path: string): Bundle {
  return { outdir: `${HANDLERS}/${path}`, entryPoints: { index: `${SERVED}${path}` }, banner: { js: COMMONJS } }
}

/** What a CommonJS package expects to find; esbuild leaves these names as they are. */
const COMMONJS = `const require = process.getBuiltinModule('node:module').createRequire(import.meta.url), { filename: __filename, dirname: __dirname } = import.meta`

/** The prefix of a handler's path in the name of its entry point. */
export const SERVED = 'served-handler:'

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
      contents: `import { serveHandler } from ${JSON.stringify(moduleFile('lib/adapters/process/serve-handler'))}
        serveHandler(() => import(${JSON.stringify(resolve(HANDLER_FILES, `${path}.ts`))}))`,
      resolveDir: '.',
    }))
  },
}

/** The entry of a function's bundle, which is named like its file: it starts the function. */
const startedFunctions: Plugin = {
  name: 'started-functions',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\/functions\// }, ({ path, kind }) =>
      kind === 'entry-point' ? { path, namespace: 'started-function' } : undefined,
    )
    onLoad({ filter: /.*/, namespace: 'started-function' }, ({ path }) => ({
      contents: `import { start } from '${path}'
        export const handler = await start()`,
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

/** How esbuild makes a bundle in its `outdir`. */
export function bundleOptions({ outdir, entryPoints, banner }: Bundle) {
  return {
    entryPoints,
    outdir,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunk-[hash]',
    bundle: true,
    alias: PUBLIC,
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
    logLevel: 'silent',
    // lib/runtime/log.ts
    define: { GATEHOUSE_VERSION: JSON.stringify(manifest.version) },
    ...(banner && { banner }),
    plugins: [builtins, servedHandlers, startedFunctions, teamOutside],
  } as const satisfies BuildOptions
}

/**
 * Sources that cannot be built end this process with exit code 1.
 * @returns esbuild's metafile, with paths as in {@link DIST}
 */
export async function buildBundle(
  folder: string,
  bundle: Bundle,
  { define = {}, packages = [] }: Additions = {},
): Promise<Metafile> {
  const { outdir } = bundle
  const options = bundleOptions({ ...bundle, outdir: `${folder}/${outdir}` })
  const { metafile } = await orExit(outdir, warned(build({ ...options, define: { ...options.define, ...define } })))
  const folders = [...bundledFolders(metafile), ...packages]
  const silent = folders.filter((one) => shippedText(one) === undefined)
  for (const one of silent)
    stderr.write(`Warning: ${outdir} contains ${titleOf(one)}, which ships no text of its license\n`)
  leavePlaceForTeam(metafile)
  writeServed(outdir, `${folder}/${outdir}`)
  writeFileSync(`${folder}/${outdir}/${NOTICES}`, noticesOf(folders))
  return JSON.parse(JSON.stringify(metafile).replaceAll(`"${folder}/`, `"${DIST}/`))
}

/** Puts a team that configures nothing beside each file that imports it. */
function leavePlaceForTeam({ outputs }: Metafile): void {
  for (const [file, { imports }] of Object.entries(outputs)) {
    if (imports.some(({ path }) => path === `./${TEAM_MODULE}`))
      writeFileSync(join(dirname(file), TEAM_MODULE), 'export const team = {}\n')
  }
}

/** Sources that cannot be built end this process. */
async function orExit<R>(name: string, building: Promise<R>): Promise<R> {
  return building.catch((error: unknown) => {
    if (!isBuildFailure(error)) throw error
    stderr.write(`${name} cannot be built:\n${problemOf(error).replaceAll(/^/gm, '  ')}\n`)
    return exit(1)
  })
}

/** Prints the warnings of a build. */
async function warned<R extends BuildResult>(building: Promise<R>): Promise<R> {
  const result = await building
  if (result.warnings.length > 0) stderr.write((await formatMessages(result.warnings, { kind: 'warning' })).join(''))
  return result
}

/** What is wrong with the sources: esbuild's messages with file, line, column and remedy, otherwise the stack. */
export function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof ConfigError) return error.message
  if (!isBuildFailure(error)) return error.stack ?? error.message
  const more = error.errors.length - MOST_SHOWN
  return error.errors
    .slice(0, MOST_SHOWN)
    .map(({ text, location }) => {
      const [, remedy] = REMEDIES.find(([message]) => message.test(text)) ?? []
      const place = location ? [`${shownPath(location.file)}:${location.line}:${location.column}`] : []
      return [...place, text, ...(remedy ? [text.replace(/^[^"]*"((?:@[^/"]+\/)?[^/"]*).*$/s, remedy)] : [])].join(': ')
    })
    .concat(more > 0 ? `and ${more} more` : [])
    .join('\n')
}

/** A full disk fails every file. */
const MOST_SHOWN = 10

/** By esbuild's message; `$1` is the package that it quotes. */
const REMEDIES: readonly (readonly [message: RegExp, remedy: string])[] = [
  [/^Could not resolve "\.{0,2}\//, 'there is no such file'],
  [/^Could not resolve "/, 'install its package: npm install $1'],
  [/^No loader is configured for "\.node"/, 'native code cannot be bundled; use a package of JavaScript'],
]

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && 'errors' in error && 'warnings' in error
}

/** The key of {@link Metafiles} for the browser bundles. */
export const BROWSER = 'web'

/** esbuild's metafile of each bundle, by the source file of `index.mjs`, and that of the browser bundles. */
export type Metafiles = Readonly<Record<string, Metafile>>

/** Where the build puts its {@link Metafiles}, outside every bundle. */
export const METAFILES = `${DIST}/metafiles.json`

/** Builds all functions and the adapter. Sources that cannot be built end this process with exit code 1. */
export async function makeBuild(link: Link): Promise<void> {
  await (link === DIST ? publishBuild(DIST, bundlesInto) : orExit('The service', buildLocal()))
  await stop()
}

/**
 * Builds all functions, handlers and the adapter for a local run: with one call of esbuild, which parses each package
 * once and takes a thirtieth of the time. They share chunks, and so caches and clients, as they do not on Lambda.
 * @throws esbuild's BuildFailure, and ConfigError
 */
export function buildLocal(): Promise<void> {
  return publishBuild(LOCAL_DIST, localInto)
}

async function localInto(folder: string): Promise<void> {
  const team = await configuredTeam()
  await (isPackaged ? takeReady(LOCAL_DIST, folder) : localEngineInto(folder))
  const handlers = (team.handlerFiles ?? []).map(handlerPath).map(handlerBundle)
  if (handlers.length > 0) await warned(build(localOptions(handlers, folder)))
  placeTeam(folder, team)
}

async function localEngineInto(folder: string): Promise<void> {
  const { define } = await consoleTexts()
  const functions = functionBundles()
  const options = localOptions([...functions, ADAPTER], folder)
  const { metafile } = await warned(build({ ...options, define: { ...options.define, ...define } }))
  leavePlaceForTeam(metafile)
  for (const { outdir } of functions) {
    for (const place of [outdir, SHARED_CHUNKS]) writeServed(outdir, `${folder}/${place}`)
  }
}

/** In one go: as many promises as there are files take ten times as long. */
function takeReady(link: Link, folder: string): void {
  cpSync(READY[link], folder, { recursive: true })
}

/** Tells a build what the team configures. */
function placeTeam(folder: string, team: Team): void {
  const text = textOfTeam(team)
  for (const place of globSync(`**/${TEAM_MODULE}`, { cwd: folder })) writeFileSync(join(folder, place), text)
}

/** As deep as a function, because code finds what lies beside its bundle by a relative path. */
const SHARED_CHUNKS = 'chunks/shared'

/** Several bundles in one call, readable, without the notices of what is deployed. */
function localOptions(bundles: readonly Bundle[], folder: string) {
  const entryPoints = bundles.flatMap(({ outdir, entryPoints: named }) =>
    Object.entries(named).map(([name, source]) => [`${outdir}/${name}`, source] as const),
  )
  const {
    minify: _,
    plugins,
    ...options
  } = bundleOptions({
    outdir: folder,
    entryPoints: Object.fromEntries(entryPoints) as never,
    banner: { js: COMMONJS },
  })
  return { ...options, chunkNames: `${SHARED_CHUNKS}/[hash]`, plugins: plugins.filter((one) => one !== builtins) }
}

const functionBundles = () => globSync('functions/**/*.ts').sort().map(functionBundle)

/** What the console's build gives to the functions. */
async function consoleTexts() {
  const { manifest, assets, metafile } = await buildConsole()
  // As texts: as an object, each would be a module that every bundle runs first.
  const names = textOf(manifest)
  return {
    define: { CONSOLE_MANIFEST: names, ERROR_PAGE_MANIFEST: names, CONSOLE_ASSETS: textOf(assets) },
    metafile,
  }
}

async function bundlesInto(folder: string): Promise<void> {
  const team = await teamOrExit()
  const file = `${folder}/${basename(METAFILES)}`
  const handlers: Record<string, Metafile> = {}
  // First what the team writes, and may have to mend. One after the other: in parallel they take as long, and twice the memory.
  for (const bundle of (team.handlerFiles ?? []).map(handlerPath).map(handlerBundle))
    handlers[bundle.entryPoints.index] = await buildBundle(folder, bundle)
  await (isPackaged ? takeReady(DIST, folder) : engineInto(folder, file))
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...handlers }))
  placeTeam(folder, team)
}

async function engineInto(folder: string, metafilesAt: string): Promise<void> {
  const { define, metafile } = await consoleTexts()
  const browser = bundledFolders(metafile)
  const metafiles: Record<string, Metafile> = { [BROWSER]: metafile }
  for (const bundle of [...functionBundles(), ADAPTER]) {
    const additions = { define, packages: bundle.outdir === 'console/asset' ? browser : [] }
    metafiles[bundle.entryPoints.index] = await buildBundle(folder, bundle, additions)
  }
  writeFileSync(metafilesAt, JSON.stringify(metafiles))
}

/** JSON as a JavaScript literal. */
function textOf(value: object): string {
  return JSON.stringify(JSON.stringify(value))
}

// An image holds one bundle: `node infra/build.ts adapter` builds only that one.
if (argv[1] === import.meta.filename && argv[2] !== 'adapter') await makeBuild(DIST)
else if (argv[1] === import.meta.filename) {
  await buildBundle(DIST, ADAPTER)
  placeTeam(DIST, await configuredTeam())
}
