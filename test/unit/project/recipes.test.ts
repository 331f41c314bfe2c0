import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { execPath } from 'node:process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Provider } from '../../../lib/webhooks/provider.ts'
import type { Sample } from '../../../lib/webhooks/sample.ts'
import { verify } from '../../../lib/webhooks/verify.ts'
import { signedCall } from '../../support/signed-call.ts'
import { temporaryFolder } from '../../support/stack.ts'

const PROVIDERS = 'lib/webhooks/providers'

const copy = temporaryFolder()
afterAll(copy.remove)

/** What the recipe has somebody write, in a copy. */
beforeAll(() => {
  cpSync('lib', join(copy.path, 'lib'), { recursive: true })
  cpSync('package.json', join(copy.path, 'package.json'))
  symlinkSync(resolve('node_modules'), join(copy.path, 'node_modules'))
  const change = (path: string, to: (text: string) => string) =>
    writeFileSync(join(copy.path, path), to(readFileSync(path, 'utf8')))
  change('tsconfig.json', (text) =>
    JSON.stringify({
      compilerOptions: { ...JSON.parse(text).compilerOptions, incremental: false, tsBuildInfoFile: undefined },
      include: [`${PROVIDERS}/*.ts`],
    }),
  )
  const [, recipe = ''] = readFileSync('CONTRIBUTING.md', 'utf8').split('\n## To add a provider\n')
  const [, code = ''] = /^ {3}```ts\n(.*?)^ {3}```$/ms.exec(recipe) ?? []
  writeFileSync(join(copy.path, PROVIDERS, 'acme.ts'), code.replaceAll(/^ {3}/gm, ''))
  const list = (path: string, what: string, entry: string) =>
    change(path, (text) =>
      `import { ${what} as acme } from './acme.ts'\n${text}`.replace(/(?<=^export const .*\n)/m, `  ${entry},\n`),
    )
  list(`${PROVIDERS}/index.ts`, 'provider', 'acme')
  list(`${PROVIDERS}/samples.ts`, 'sample', 'acme: acme()')
})

it('the recipe for a provider passes the compiler', () => {
  const tsc = resolve('node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(execPath, [tsc, '-p', copy.path], { encoding: 'utf8' })
  expect(stdout).toBe('')
})

it('the recipe for a provider verifies what its sample sends, and nothing else', async () => {
  const { providerOf } = await import(join(copy.path, PROVIDERS, 'index.ts'))
  const { SAMPLES } = await import(join(copy.path, PROVIDERS, 'samples.ts'))
  const { scheme }: Provider = providerOf('acme')
  const { draft, prove }: Sample = SAMPLES.acme
  const body = Buffer.from(JSON.stringify(draft('order.created', { id: '1', at: new Date() }).body))
  const hex = createHmac('sha256', 'secret').update(body).digest('hex')
  const { headers = {} } = prove({ hex } as Parameters<Sample['prove']>[0], { headers: {}, body })
  const verdictOn = (bytes: Buffer) =>
    verify(signedCall(headers, bytes), { scheme, secrets: [{ value: 'secret' }], now: new Date() })
  expect(verdictOn(body)).toMatchObject({ ok: true })
  expect(verdictOn(Buffer.concat([body, Buffer.from(' ')]))).toMatchObject({ reason: 'wrong-signature' })
})
