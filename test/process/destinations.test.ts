import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { configuredTeam } from '../../infra/team-config.ts'
import { destinationsOf } from '../../lib/deliver/configured/destinations.ts'
import { temporaryFolder } from '../support/stack.ts'

const folder = temporaryFolder()
afterAll(folder.remove)

let files = 0

/** What a file with that text says on a stage. */
async function configured(text: string, stage: string) {
  files += 1
  const file = join(folder.path, `config-${files}.ts`)
  writeFileSync(file, text)
  return destinationsOf(await configuredTeam(stage, file), stage)
}

it.each([
  ['docs/destinations.md', ['crm', 'ledger', 'bus']],
  ['docs/guide/deliver.md', ['crm']],
])('the example of %s is valid on every stage', async (page, names) => {
  const [, text = ''] = /^```ts gatehouse\.config\.ts\n(.+?)^```/ms.exec(readFileSync(page, 'utf8')) ?? []
  for (const stage of ['local', 'prod']) {
    const destinations = await configured(text, stage)
    expect(destinations.map(({ name }) => name)).toEqual(names)
  }
})
