import { join } from 'node:path'
import { claims, forge, HEADER } from '../../../test/support/forge.ts'
import { comparison } from '../comparison.ts'
import { effort } from '../effort.ts'
import { compared, type Findings } from '../findings.ts'
import { KEY } from '../key.ts'
import { median } from '../median.ts'
import { callFor } from './calls.ts'
import { type Command, type Service, startService } from './service.ts'
import { bareServer, npmStart, serverlessOffline } from './subjects.ts'

const ROUNDS = effort(5, 1)

/** Of a round, for each subject, in milliseconds. */
const TURN = effort(1000, 50)

/** What compiles the code that the rounds measure, in milliseconds. */
const WARM_UP = effort(3000, 50)

const AUTHORIZATION = `Bearer ${forge(claims(), HEADER, 'sha512', KEY.toString('base64url'))}`

const ENDPOINTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/api/public/hello': {},
  '/api/admin/secure': { authorization: AUTHORIZATION },
}

/** What one turn took. */
interface Turn {
  /** Microseconds of CPU for a call. */
  readonly cpu: number
  readonly perSecond: number
}

interface Subject {
  readonly name: string
  readonly service: Service
  readonly url: string
}

/** Calls that a running gateway answers: ours, that of plain serverless-offline, and Node's server without any. */
export async function requests(folder: string): Promise<Readonly<Record<string, Findings>>> {
  const commands: Readonly<Record<string, Command>> = {
    gatehouse: await npmStart(join(folder, 'data')),
    'serverless-offline': await serverlessOffline(folder),
    'node:http': await bareServer(),
  }
  const subjects: Subject[] = []
  try {
    for (const [name, command] of Object.entries(commands))
      subjects.push({ name, service: await startService(command), url: command.url })
    return await findingsOf(subjects)
  } finally {
    for (const { service } of subjects) await service.stop()
  }
}

async function findingsOf(subjects: readonly Subject[]): Promise<Readonly<Record<string, Findings>>> {
  const pieces: Record<string, Findings> = {}
  for (const [path, headers] of Object.entries(ENDPOINTS)) {
    const turns = await measure(subjects, path, headers)
    const costs = new Map([...turns].map(([name, all]) => [name, all.map(({ cpu }) => cpu)]))
    pieces[`${path}, CPU of a call`] = comparison({ what: `${path} of a local gateway`, unit: 'µs of CPU', costs })
    const rates = new Map([...turns].map(([name, all]) => [name, [median(all.map(({ perSecond }) => perSecond))]]))
    pieces[`${path}, calls a second`] = compared(['', 'calls a second'], rates)
  }
  return pieces
}

/** Each round's turns of every subject; the rounds go there and back again, so that drift hits all alike. */
async function measure(
  subjects: readonly Subject[],
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, readonly Turn[]>> {
  const turns = new Map<string, Turn[]>(subjects.map(({ name }) => [name, []]))
  const call = ({ url }: Subject, milliseconds: number) => callFor(milliseconds, new URL(path, url).href, headers)
  for (const subject of subjects) await call(subject, WARM_UP)
  for (let round = 0; round < ROUNDS; round += 1) {
    const order = round % 2 === 0 ? subjects : subjects.toReversed()
    for (const subject of order) {
      const before = subject.service.cpu()
      const answered = await call(subject, TURN)
      const cpu = ((subject.service.cpu() - before) / answered) * 1000
      turns.get(subject.name)?.push({ cpu, perSecond: answered / (TURN / 1000) })
    }
  }
  return turns
}
