import { stdout } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { readOptions, runCommand, wholeOption } from '../../localstack/command.ts'
import { ResumingClient } from '../../test/support/resuming-client.ts'
import { temporaryFolder } from '../../test/support/stack.ts'
import { percentile } from './load.ts'
import { type ProcessSample, processesOf } from './processes.ts'
import { type Course, courseOf, judge } from './soaked.ts'
import { startTarget, type Target } from './target.ts'

const USAGE = `npm run quality -- soak [options]

Brings up a service of its own and sends it calls of every kind for a long time, in an open loop, with watchers on its
STOMP channel. Meanwhile it looks at memory, file descriptors and event loop of every process. Exit 1 if a call was not
answered as it should, an acknowledged event is missing, a watcher missed one, or a process grew.

  --minutes N   how long (30)
  --seconds N   how long, instead; too short a time to see anything grow
  --rate N      calls a second (60)
  --watchers N  on the STOMP channel (20)
`

const OPTIONS = {
  minutes: { type: 'string', default: '30' },
  seconds: { type: 'string' },
  rate: { type: 'string', default: '60' },
  watchers: { type: 'string', default: '20' },
} as const

const SAMPLE_MS = 10_000

await runCommand({ name: 'quality -- soak', usage: USAGE, run })

async function run(args: readonly string[]): Promise<number> {
  const { values } = readOptions({ args: [...args], options: OPTIONS })
  const minutes =
    values.seconds === undefined
      ? wholeOption('--minutes', values.minutes, [1, 24 * 60])
      : wholeOption('--seconds', values.seconds, [2, 60]) / 60
  const rate = wholeOption('--rate', values.rate, [1, 10_000])
  const watchers = wholeOption('--watchers', values.watchers, [0, 1000])
  const folder = temporaryFolder()
  const target = await startTarget({
    NODE_OPTIONS: `--import=${import.meta.dirname}/watch-process.mjs`,
    WATCH_FOLDER: folder.path,
  })
  try {
    const isSound = await soak(target, { minutes, rate, watchers, folder: folder.path })
    return isSound ? 0 : 1
  } finally {
    await target.stop()
    folder.remove()
  }
}

interface Plan {
  readonly minutes: number
  readonly rate: number
  readonly watchers: number
  readonly folder: string
}

async function soak(target: Target, { minutes, rate, watchers, folder }: Plan) {
  const clients = Array.from(
    { length: watchers },
    (_, index) => new ResumingClient(target.token, [target.stack.ready.ws], index),
  )
  await Promise.all(clients.map((client) => client.connect()))
  const samples = sampling(target.stack.process.pid ?? 0)
  const outcome = await target.load.open(rate, minutes * 60)
  const courses = courseOf(await samples.stop(), folder)
  const { acknowledged, missing } = await target.audit()
  const untold = await untoldBy(clients, target)
  for (const client of clients) client.stop()

  for (const line of courses.map(lineOf)) stdout.write(`${line}\n`)
  const problems = [...courses.flatMap(judge), ...outcome.wrong.slice(0, 10)]
  for (const problem of problems) stdout.write(`wrong: ${problem}\n`)
  const answers = [...outcome.answers].map(([answer, count]) => `${count} × ${answer}`).join(', ')
  const [median, high, most] = [50, 99, 100].map((percent) => percentile(outcome, percent).toFixed(0))
  const tried = `${outcome.sent} calls in ${lengthOf(minutes)}, ${acknowledged} events, ${watchers} watchers`
  const service = courses.find(({ name }) => name === 'serverless.js')
  const found = `${missing} lost, ${untold} untold, ${outcome.wrong.length} wrong answers; median ${median} ms, p99 ${high} ms; the service's live heap grew ${growthOf(service)} an hour`
  stdout.write(`${tried}: ${answers}; ${most} ms at most\n${found}\n`)
  return problems.length + missing + untold + outcome.wrong.length === 0
}

function lengthOf(minutes: number): string {
  return minutes < 1 ? `${Math.round(minutes * 60)} seconds` : `${minutes} minutes`
}

function growthOf(course: Course | undefined): string {
  return `${((course?.heapGrowth ?? 0) / 2 ** 20).toFixed(1)} MB`
}

function lineOf({ name, rss, rssGrowth, heapGrowth, descriptors, delayP99 }: Course): string {
  const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MB`
  return `${name}: ${megabytes(rss)}, ${megabytes(rssGrowth)} more an hour, live heap ${megabytes(heapGrowth)} more; ${descriptors.join(' → ')} descriptors; event loop p99 ${delayP99.toFixed(0)} ms`
}

/** How many events some watcher was not told of, some seconds after the last. */
async function untoldBy(clients: readonly ResumingClient[], { load }: Target): Promise<number> {
  const isTold = (client: ResumingClient) => load.acknowledged.every(({ eventId }) => client.told.has(eventId))
  for (let second = 0; second < 30 && !clients.every(isTold); second++) await setTimeout(1000)
  const untold = clients.map((client) => load.acknowledged.filter(({ eventId }) => !client.told.has(eventId)).length)
  return Math.max(0, ...untold)
}

/** Looks at every process until it is stopped. */
function sampling(pid: number) {
  const taken: { at: number; processes: readonly ProcessSample[] }[] = []
  const timer = setInterval(() => taken.push({ at: Date.now(), processes: processesOf(pid) }), SAMPLE_MS)
  return {
    async stop() {
      clearInterval(timer)
      return taken
    },
  }
}
