import { globSync } from 'node:fs'
import { stderr } from 'node:process'
import { TEAM_CONFIG } from '../../infra/builds.ts'
import { signaturesOf } from './signatures.ts'

/** The files that a run reads at its start: the description of the cloud, what plays it, and how bundles are built. */
const RUN = [
  'serverless.yml',
  TEAM_CONFIG,
  'infra/{*,deliver/*,resources/*}.*',
  'localstack/*.*',
  'localstack/{dev,directory,emulators,providers,provision}/*.*',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]

/** The interval between looks, in milliseconds. */
const GLANCE = 1000

/** Reports, once for each change, that a file which a run reads only at its start has changed. */
export function announceRestarts(): void {
  let known = signaturesOf(globSync(RUN))
  setInterval(() => {
    const present = signaturesOf(globSync(RUN))
    const files = new Set([...known.keys(), ...present.keys()])
    const changed = [...files].filter((file) => known.get(file) !== present.get(file))
    if (changed.length > 0) stderr.write(`Changed: ${changed.join(', ')}. To take it over, restart \`npm run dev\`.\n`)
    known = present
  }, GLANCE).unref()
}
