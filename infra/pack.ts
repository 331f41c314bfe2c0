/**
 * `npm run pack`: makes the package that a team installs, `gatehouse-<version>.tgz`, in this folder or in the one that is
 * named. It holds the engine as JavaScript, its bundles and the console as they were built, and the types of what is public.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { argv, execPath, stdout } from 'node:process'
import manifest from '../package.json' with { type: 'json' }
import { currentStamp, DIST, freshBuild, LOCAL_DIST, READY, READY_SOURCES } from './builds.ts'
import { packageFolder } from './project.ts'

const STAGING = resolve('.builds/package')

/** The folders whose code becomes JavaScript. */
const CODE = ['lib', 'functions', 'infra', 'localstack', 'proto/gen']

/** What code reads besides, and what a person wants to read. */
const TEXTS = [
  'serverless.yml',
  'infra/**/*.{yml,json}',
  'infra/adapter/Dockerfile',
  'localstack/**/*.{json,ldif,css,svg}',
  'web/{icons.svg,style.css,style/*.css}',
  'docs/{openapi.json,*.md,guide/*.md,reference/*.md}',
  'examples/project/**/*.*',
  'examples/project/gitignore',
  'examples/{receiver,vectors}/*',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
]

/** What the public face is compiled from, with the types that it names. */
const PUBLIC = ['lib/gatehouse.ts', 'lib/testing.ts']

const place = resolve(argv[2] ?? '.')
mkdirSync(place, { recursive: true })
rmSync(STAGING, { recursive: true, force: true })
for (const link of [DIST, LOCAL_DIST] as const) await freshBuild(link)
compile({ include: CODE })
compile({ files: PUBLIC, declaration: true, emitDeclarationOnly: true })
for (const file of globSync(TEXTS)) copied(file, file)
for (const [link, ready] of Object.entries(READY)) {
  const build = realpathSync(link)
  for (const file of globSync('**/*.*', { cwd: build })) {
    if (!/\.map$|^handlers\//.test(file)) copied(join(build, file), join(ready, file))
  }
}
writeFileSync(join(STAGING, READY_SOURCES), currentStamp())
writeFileSync(join(STAGING, 'package.json'), JSON.stringify(packaged(), null, 2))
const made = execFileSync('npm', ['pack', '--json', '--pack-destination', place], { cwd: STAGING })
const [{ filename, size, unpackedSize, entryCount }] = JSON.parse(made.toString())
stdout.write(`${filename}: ${megabytes(size)} packed, ${megabytes(unpackedSize)} unpacked, ${entryCount} files\n`)

function copied(from: string, to: string): void {
  mkdirSync(dirname(join(STAGING, to)), { recursive: true })
  cpSync(from, join(STAGING, to))
}

/** Runs the compiler of TypeScript on a part of the sources, into the staging folder. */
function compile({ include, files, ...options }: { include?: string[]; files?: string[]; [option: string]: unknown }) {
  const config = resolve('.builds/tsconfig.package.json')
  const compilerOptions = {
    ...{ noEmit: false, outDir: STAGING, rootDir: resolve('.'), rewriteRelativeImportExtensions: true },
    // What checks types needs more packages than a fresh clone has.
    ...{ incremental: false, tsBuildInfoFile: null, noCheck: true, ...options },
  }
  const chosen = { include: (include ?? []).map((one) => resolve(one)), files: files?.map((one) => resolve(one)) }
  writeFileSync(config, JSON.stringify({ extends: resolve('tsconfig.json'), compilerOptions, exclude: [], ...chosen }))
  execFileSync(execPath, [join(packageFolder('typescript'), 'bin/tsc'), '-p', config], { stdio: ['ignore', 2, 2] })
}

/** package.json without what only a checkout has. Tools stay, as `gatehouse init` reads their versions. */
function packaged(): object {
  const { allowScripts: _, scripts: __, private: ___, exports: faces, engines: ____, ...kept } = manifest
  const exports = Object.entries(faces).map(([name, file]) => {
    const path = file.replace(/\.ts$/, '')
    return [name, { types: `${path}.d.ts`, default: `${path}.js` }]
  })
  return { ...kept, exports: Object.fromEntries(exports), engines: { node: '>=24.12' } }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
