import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { env, stderr } from 'node:process'
import { documentClient } from '../../lib/adapters/dynamodb/client.ts'
import { logsClient } from '../../lib/adapters/logs/client.ts'
import { everyLine } from '../../lib/adapters/logs/trail-reader.ts'
import { ServiceError } from '../../lib/errors.ts'
import type { RingKey } from '../../lib/runtime/settings/key-ring.ts'
import type { FoundLine } from '../../lib/trail/seen-chains.ts'
import type { KnownHeads } from '../../lib/trail/verify.ts'
import { enterLocalCloud, isEmulated } from '../environment.ts'
import { localRun } from '../local-run.ts'
import { StartError } from '../start-error.ts'
import { readTrailHeads } from './heads.ts'

/** A trail that can be verified. */
export interface StoredTrail {
  keys(): Promise<readonly RingKey[]> | readonly RingKey[]
  /** Undefined if they cannot be read now; standard error says why. */
  heads(): Promise<KnownHeads | undefined>
  lines(): AsyncIterable<FoundLine>
  /** Earlier lines may be deleted. */
  readonly horizon: Date | undefined
}

const TABLE = 'gatehouse-local-audit'
const LOG_GROUP = '/gatehouse/local/audit'

/** The trail of the local run, whether it runs or not. @throws StartError */
export function localTrail(): StoredTrail {
  const run = localRun(env)
  if (run.dataFolder === 'memory') throw new StartError('A run with DATA_DIR=memory keeps no audit trail.')
  const file = join(run.dataFolder, 'audit.log')
  const isOurs = isEmulated(env, 'logs')
  enterLocalCloud(env, run.ports)
  return {
    keys: run.auditKeys,
    horizon: undefined,
    async heads() {
      try {
        return await readTrailHeads(documentClient(), TABLE)
      } catch (error) {
        if (!(error instanceof ServiceError && error.is('UNAVAILABLE'))) throw error
        stderr.write(
          'The heads of the chains are there only while npm start runs; --without-heads does not need them.\n',
        )
        return undefined
      }
    },
    lines: () => (isOurs ? linesOf(file) : everyLine(logsClient(), LOG_GROUP)),
  }
}

/** Byte for byte: only a line feed ends a line. */
async function* linesOf(file: string): AsyncGenerator<FoundLine> {
  if (!existsSync(file)) return
  let rest = ''
  for await (const piece of createReadStream(file, 'utf8')) {
    const texts = `${rest}${piece}`.split('\n')
    rest = texts.pop() ?? ''
    for (const text of texts) yield { text }
  }
  if (rest !== '') yield { text: rest }
}
