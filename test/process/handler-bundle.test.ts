import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { env, execPath } from 'node:process'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/stack.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

let projects = 0

/** Builds the handler `shop/a` of a project with these files, and loads its bundle. */
function built(files: Readonly<Record<string, string>>) {
  projects += 1
  const root = join(folder.path, `${projects}`)
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  symlinkSync(resolve('lib'), join(root, 'lib'))
  const script = `const { buildBundle, handlerBundle } = await import(${JSON.stringify(pathToFileURL(resolve('infra/build.ts')).href)})
    await buildBundle('dist', handlerBundle('shop/a'))
    process.on('message', () => {})
    process.send = ({ answer }) => { console.log(answer); process.exit() }
    process.connected = true
    await import(process.cwd() + '/dist/handlers/shop/a/index.mjs')
    process.emit('message', { event: {}, body: new Uint8Array(), secrets: new Map(), abortsAt: 0, correlation: {} })`
  const { status, stdout, stderr } = spawnSync(execPath, ['--input-type=module', '-e', script], {
    cwd: root,
    env: { ...env, GATEHOUSE_PROJECT: root },
    encoding: 'utf8',
  })
  return { root, status, stdout, stderr }
}

const importing = (imports: string, result: string) =>
  `${imports}\nexport const on = ['x']\nexport default () => console.log(${result})\n`

/** A package in a folder, with what its package.json says besides its name. */
const packaged = (place: string, about: object, code: string) => ({
  [`${place}/package.json`]: JSON.stringify({ name: place.split('node_modules/')[1], version: '1.2.3', ...about }),
  [`${place}/index.js`]: code,
})

describe('a handler may import', () => {
  const CJS = `const fs = require('fs'); const name = 'path'
    module.exports = { read: () => [typeof fs.readFileSync, typeof require(name).join, typeof __dirname, typeof __filename].join() }`
  const ESM = `import { createRequire } from 'node:module'
    const require = createRequire(import.meta.url); const __dirname = import.meta.dirname
    export const read = () => typeof require('node:fs').readFileSync + typeof __dirname`

  it.each([
    [
      'a package of CommonJS alone',
      packaged('node_modules/old', { license: 'MIT' }, CJS),
      "import old from 'old'",
      'old.read()',
      'function,function,string,string',
    ],
    [
      'a package of ES modules that makes its own require',
      packaged('node_modules/new', { license: 'MIT', type: 'module' }, ESM),
      "import { read } from 'new'",
      'read()',
      'functionstring',
    ],
    [
      'a package of a package.json beside it',
      packaged('handlers/node_modules/near', {}, 'exports.near = 1'),
      "import { near } from 'near'",
      'near',
      '1',
    ],
  ])('%s', (_, files, imports, result, printed) => {
    const { status, stdout, stderr } = built({ ...files, 'handlers/shop/a.ts': importing(imports, result) })
    expect(stdout.split('\n')[0], stderr).toBe(printed)
    expect(status).toBe(0)
  })
})

it('a package without a text of its license stops no build: a warning names the handler and the package', () => {
  const { root, status, stderr } = built({
    ...packaged('node_modules/@acme/bare', { license: 'ISC' }, 'exports.bare = 1'),
    'handlers/shop/a.ts': importing("import { bare } from '@acme/bare'", 'bare'),
  })
  expect(stderr).toBe('Warning: handlers/shop/a contains @acme/bare 1.2.3 (ISC), which ships no text of its license\n')
  expect(status).toBe(0)
  const notices = readFileSync(join(root, 'dist/handlers/shop/a/THIRD-PARTY-LICENCES.txt'), 'utf8')
  expect(notices).toContain('@acme/bare 1.2.3 (ISC)\n\nships no text of its license, which it calls ISC\n')
})

describe('a build ends without a stack, and names handler, import and remedy, for', () => {
  const FILE = 'handlers/shop/a.ts'

  it.each([
    [
      'a package that is not installed',
      { [FILE]: importing("import x from '@no/such/part'", 'x') },
      `${FILE}:1:14: Could not resolve "@no/such/part": install its package: npm install @no/such`,
    ],
    [
      'a file that is not there',
      { [FILE]: importing("import x from './absent.ts'", 'x') },
      `${FILE}:1:14: Could not resolve "./absent.ts": there is no such file`,
    ],
    [
      'native code',
      {
        [FILE]: importing("import x from 'native'", 'x'),
        ...packaged('node_modules/native', {}, "require('./x.node')"),
        'node_modules/native/x.node': '',
      },
      'node_modules/native/index.js:1:8: No loader is configured for ".node" files: node_modules/native/x.node: native code cannot be bundled; use a package of JavaScript',
    ],
  ])('%s', (_, files, problem) => {
    const { status, stderr } = built(files)
    expect(stderr).toBe(`handlers/shop/a cannot be built:\n  ${problem}\n`)
    expect(status).toBe(1)
  })

  it('twelve files that are not there, of which it names ten', () => {
    const names = Array.from({ length: 12 }, (_, n) => `x${n}`)
    const imports = names.map((name) => `import ${name} from './absent-${name}.ts'`).join('\n')
    const { stderr } = built({ [FILE]: importing(imports, `[${names}]`) })
    expect(stderr.match(/there is no such file/g)).toHaveLength(10)
    expect(stderr).toMatch(/\n {2}and 2 more\n$/)
  })
})
