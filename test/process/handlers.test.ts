import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { execPath } from 'node:process'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { configuredTeam, textOfTeam } from '../../infra/team-config.ts'
import { temporaryFolder } from '../support/stack.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

function handlerAt(root: string, path: string, text: string): void {
  mkdirSync(join(root, 'handlers/payment'), { recursive: true })
  writeFileSync(join(root, 'handlers', `${path}.ts`), text)
}

it('the module of a team contains the event types of a handler, and none of its code', async () => {
  const code = "export const on = ['ONLY-THIS']\nexport default () => 'THE-CODE'\n"
  handlerAt(folder.path, 'payment/thank-customer', code)
  const module = textOfTeam(
    await configuredTeam(undefined, join(folder.path, 'absent.ts'), join(folder.path, 'handlers')),
  )
  expect(module).toContain('ONLY-THIS')
  expect(module).not.toContain('THE-CODE')
})

it('a start and a packaging end with exit code 2 for wrong handlers, and report all of them', () => {
  const root = join(folder.path, 'wrong')
  handlerAt(root, 'payment/a', "export const on = ['a'\n")
  handlerAt(root, 'payment/b', 'export default () => {}\n')
  handlerAt(root, 'payment/c', "export const on = ['pay*']\nexport default () => {}\n")
  const script = `const { teamOrExit } = await import(${JSON.stringify(pathToFileURL(resolve('infra/team-config.ts')).href)}); await teamOrExit()`
  const { status, stderr } = spawnSync(execPath, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8' })
  expect(stderr).toBe(`Wrong configuration, gatehouse.config.ts:
  handlers/payment/a.ts:2:0: Expected "]" but found end of file
  handlers/payment/b.ts:1:0: must say what it is for: export const on = ['type']
  handlers/payment/c.ts: on.0: must be segments between dots or slashes; * is one whole segment, ** any number
`)
  expect(status).toBe(2)
})
