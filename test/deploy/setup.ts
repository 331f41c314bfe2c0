import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cwd, env } from 'node:process'
import type { TestProject } from 'vitest/node'
import { parse, stringify } from 'yaml'
import { copyProject } from '../support/copy-project.ts'
import { enginePackage } from '../support/engine-package.ts'
import { temporaryFolder } from '../support/stack.ts'
import { DESTINATIONS, HANDLERS, NAME, NETWORKS, RESOURCES, SETTINGS } from './team.ts'

/**
 * The stage of production; one with all that the examples of stages/ have, each of whose parts the other one has under a
 * condition that does not hold; and production with as many destinations and handlers as there may be.
 */
export type PackageName = 'prod' | 'everything' | 'destinations'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder of the packages, one folder each. */
    readonly packages: string
  }
}

const EXAMPLES = ['container', 'edge', 'platform', 'vpc']
/** Of the edge. */
export const SECRET = 'only-in-this-shell-0123456789abcdef'
const ENVIRONMENT = { PATH: env['PATH'], HOME: env['HOME'], GATEHOUSE_EDGE_SECRETS: SECRET }

/** Packages what the tests of this folder read, once for all of them. */
export async function setup({ provide }: TestProject): Promise<() => void> {
  const folder = temporaryFolder()
  const at = (name: string) => join(folder.path, name)
  const packageOf = (name: PackageName) => at(`packages/${name}`)
  await enginePackage('prod', packageOf('prod'), ENVIRONMENT)
  await enginePackage('everything', packageOf('everything'), { ...ENVIRONMENT, STAGES_DIR: stagesIn(at('stages')) })
  await enginePackage('prod', packageOf('destinations'), ENVIRONMENT, [], copyIn(at('copy')))
  provide('packages', at('packages'))
  return folder.remove
}

function stagesIn(folder: string): string {
  const examples = EXAMPLES.map((name) => parse(readFileSync(`stages/${name}.yml`, 'utf8')))
  mkdirSync(folder)
  writeFileSync(join(folder, 'everything.yml'), stringify(Object.assign({}, ...examples, { retryScanMinutes: 1 })))
  return folder
}

/** A copy of the project with the configuration of a team. */
function copyIn(folder: string): string {
  copyProject(cwd(), folder)
  const team = JSON.stringify({ name: NAME, destinations: DESTINATIONS, handlers: SETTINGS })
  const config = `import { defineConfig } from 'gatehouse'\nexport default defineConfig(${team})\n`
  writeFileSync(join(folder, 'gatehouse.config.ts'), config)
  appendFileSync(join(folder, 'stages/prod.yml'), stringify({ network: NETWORKS[1], deployment: 'all-at-once' }))
  writeFileSync(join(folder, 'resources.yml'), stringify({ Resources: RESOURCES }))
  for (const { path } of HANDLERS) {
    const file = join(folder, 'handlers', `${path}.ts`)
    mkdirSync(dirname(file), { recursive: true })
    cpSync('examples/payment/thank-customer.ts', file)
  }
  return folder
}
