import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { enginePackage } from '../engine-package.ts'
import { inTurn } from '../in-turn.ts'
import { temporaryFolder } from '../stack.ts'
import { wholeTemplate } from './joined.ts'
import type { Template } from './template.ts'

const KEPT = 'node_modules/.cache/gatehouse/templates'

/** What a template is made of, besides the bundles, which it only names. */
const SOURCES = [
  'serverless.yml',
  'gatehouse.config.ts',
  'lib/endpoints/*.ts',
  'infra/**/*.{yml,ts,mjs,cjs}',
  'stages/*.yml',
  'docs/{operations,runbook}.md',
  'localstack/{plugin.mjs,bundles.ts}',
  'package-lock.json',
]

/** The template of a stage as `serverless package` makes it, where nothing is set; made once for the same sources. */
export async function packagedTemplate(stage: string): Promise<Template> {
  const kept = join(KEPT, `${stage}-${digest()}.json`)
  await inTurn(`template-${stage}`, async () => {
    if (!existsSync(kept)) await packageInto(kept, stage)
  })
  return JSON.parse(readFileSync(kept, 'utf8'))
}

async function packageInto(kept: string, stage: string): Promise<void> {
  const output = temporaryFolder()
  const template = await enginePackage(stage, output.path, { PATH: env['PATH'], HOME: env['HOME'] })
  mkdirSync(KEPT, { recursive: true })
  for (const former of globSync(join(KEPT, `${stage}-*`))) rmSync(former, { force: true })
  writeFileSync(kept, JSON.stringify(wholeTemplate(template)))
  output.remove()
}

function digest(): string {
  const hash = createHash('sha256')
  for (const file of globSync(SOURCES).sort()) hash.update(file).update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}
