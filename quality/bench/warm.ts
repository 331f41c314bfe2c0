import { join, resolve } from 'node:path'
import { DIST, freshBuild } from '../../infra/builds.ts'
import { LAMBDA_ENVIRONMENT as environment } from '../../test/support/lambda-environment.ts'
import { bearerCalls, written } from './calls.ts'
import { effort, IS_SHORT } from './effort.ts'
import { compared, type Row } from './findings.ts'
import { isInstalled, ofEach, perCall } from './meter.ts'
import { type Bundles, bundledPeers } from './peers.ts'
import { ask, interleaved, startSubjects } from './subjects.ts'

const ROUNDS = effort(9, 1)

/** Of CPU. */
const ROUND_MS = effort(150, 10)
const WARM_UP_MS = effort(1500, 10)

/** By then V8 has compiled what it will; what is between the two is counted. */
const COUNTED = [1500, 3500] as const

/** `/api/admin/secure` in a process that has been answering for a while: ours and what else one would write. */
export async function warm(folder: string): Promise<readonly Row[]> {
  await freshBuild(DIST)
  const bundles: Bundles = new Map([
    ['gatehouse', resolve('dist/api/admin-secure/index.mjs')],
    ...(await bundledPeers(folder)),
  ])
  const subjects = await startSubjects(bundles, environment)
  const isCounted = !IS_SHORT && isInstalled('valgrind')
  const rows: Row[] = []
  for (const [index, [kind, given]] of Object.entries(bearerCalls()).entries()) {
    const calls = written(join(folder, `${index}.json`), given)
    if (isCounted && given.status !== 401) {
      const costs = await ofEach(
        bundles,
        async (bundle) => (await perCall({ bundle, calls, environment }, COUNTED)) * 1000,
      )
      rows.push(...compared(`${kind}, instructions`, 'thousand instructions', costs))
    }
    for (const subject of subjects) await ask(subject, { calls, milliseconds: WARM_UP_MS })
    const costs = await interleaved(subjects, ROUNDS, (subject) => ask(subject, { calls, milliseconds: ROUND_MS }))
    rows.push(...compared(kind, 'µs of CPU', costs))
  }
  for (const { child } of subjects) child.kill()
  return rows
}
