import { globSync, readFileSync } from 'node:fs'
import { basename, extname, relative, resolve } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import type { Manifest } from '../lib/http/pages/site.ts'
import type { Asset } from '../lib/http/served-file.ts'
import { folderOf, licenceText, titleOf } from './supply/notices.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'text/plain; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
}

/**
 * Adds licenses as comments that esbuild keeps: packages have them in files of their own, which would be left behind.
 */
const licences: Plugin = {
  name: 'licences',
  setup({ onLoad }) {
    onLoad({ filter: /\bnode_modules\b.*\.m?js$/ }, ({ path }) => {
      const folder = folderOf(relative('.', path)) ?? ''
      return { contents: `${readFileSync(path, 'utf8')}\n/*! ${titleOf(folder)}\n\n${licenceText(folder)} */` }
    })
  },
}

export interface Console {
  readonly manifest: Manifest
  /** By the name that the manifest refers to; it changes with the content. */
  readonly assets: Readonly<Record<string, Asset>>
  readonly metafile: Metafile
}

const PAGES = 'web/pages/'

const ASYNCAPI = 'docs/asyncapi.json'

const BUILD = {
  entryPoints: ['web/style.css', 'web/icon.svg', 'web/icons.svg', ASYNCAPI, ...globSync('web/pages/*.tsx').sort()],
  outdir: '/',
  entryNames: '[name]-[hash]',
  chunkNames: 'shared-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2023',
  tsconfig: 'web/tsconfig.json',
  loader: { '.svg': 'copy', '.json': 'copy' },
  legalComments: 'linked',
  write: false,
  metafile: true,
  logLevel: 'warning',
} as const satisfies BuildOptions

/**
 * Builds the files that the console's pages load: one script per page, one that all share, those for later, the licenses
 * of third-party code, the style sheet, the icon, the sprite of symbols and the description of the channels.
 */
export async function buildConsole(): Promise<Console> {
  const { metafile: apart } = await build(BUILD)
  const { outputFiles, metafile } = await build({
    ...BUILD,
    minify: true,
    inject: [SHARED],
    plugins: [licences, asOneScript(sharedIn(apart))],
  })
  const assets = outputFiles.map(({ path, contents }) => [basename(path), assetOf(path, contents)] as const)
  return { manifest: manifestOf(metafile), assets: Object.fromEntries(assets), metafile }
}

const SHARED = 'shared:'

/** Each page imports all that pages share: otherwise each set of pages gets a script of its own. */
function asOneScript(paths: readonly string[]): Plugin {
  const contents = paths.map((path) => `import ${JSON.stringify(path)}`).join('\n')
  return {
    name: 'as one script',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: new RegExp(`^${SHARED}$`) }, () => ({ path: SHARED, namespace: SHARED, sideEffects: true }))
      onLoad({ filter: /./, namespace: SHARED }, () => ({ contents, resolveDir: '.' }))
      onResolve({ filter: /./, namespace: SHARED }, ({ path }) => ({ path: resolve(path), sideEffects: true }))
    },
  }
}

/** The modules that more than one page loads at once. */
function sharedIn({ outputs }: Metafile): readonly string[] {
  const pages = Object.entries(outputs).filter(([, { entryPoint }]) => entryPoint?.startsWith(PAGES))
  const loaded = pages.flatMap(([path]) =>
    loadedBy(path, outputs).flatMap((file) => Object.keys(outputs[file]?.inputs ?? {})),
  )
  return [...Map.groupBy(loaded, (path) => path)].filter(([, { length }]) => length > 1).map(([path]) => path)
}

/** By the names of files, which change with the content: `npx gatehouse dev` compresses only what is new. */
const compressed = new Map<string, Asset>()

function assetOf(path: string, contents: Uint8Array): Asset {
  const type = TYPES[extname(path)]
  if (type === undefined) throw new Error(`no content type for ${path}`)
  const asset = compressed.get(path) ?? { type, brotli: brotliCompressSync(contents).toString('base64') }
  compressed.set(path, asset)
  return asset
}

function manifestOf({ outputs }: Metafile): Manifest {
  const entries = Object.entries(outputs).flatMap(([path, { entryPoint }]) =>
    entryPoint === undefined ? [] : [{ path, entryPoint }],
  )
  const nameOf = (source: string) => basename(entries.find(({ entryPoint }) => entryPoint === source)?.path ?? '')
  const scripts = entries
    .filter(({ entryPoint }) => entryPoint.startsWith(PAGES))
    .map(({ path, entryPoint }) => [
      basename(entryPoint, '.tsx'),
      loadedBy(path, outputs).map((file) => basename(file)),
    ])
  return {
    style: nameOf('web/style.css'),
    icon: nameOf('web/icon.svg'),
    icons: nameOf('web/icons.svg'),
    asyncapi: nameOf(ASYNCAPI),
    scripts: Object.fromEntries(scripts),
  }
}

/** A script and all its static imports. */
function loadedBy(path: string, outputs: Metafile['outputs']): readonly string[] {
  const loaded = new Set([path])
  for (const file of loaded) {
    const statics = outputs[file]?.imports.filter(({ kind }) => kind === 'import-statement') ?? []
    for (const imported of statics) loaded.add(imported.path)
  }
  return [...loaded]
}
