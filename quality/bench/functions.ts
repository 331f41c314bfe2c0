import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ExecutionEnvironment, startFunction } from '../../localstack/strict/execution-environment.ts'
import { callersOf } from '../../test/support/lambda/callers.ts'
import { deploy } from '../../test/support/lambda/deployment.ts'
import { httpApiEvent } from '../../test/support/lambda/http-api.ts'
import { realEvents } from '../../test/support/lambda/real-events.ts'
import { runningFunctions } from '../../test/support/lambda/running-functions.ts'
import { effort } from './effort.ts'
import { compared, type Findings } from './findings.ts'
import { median } from './median.ts'

/** New processes of each function, in rounds: what disturbs the machine for a moment disturbs one of them. */
const ROUNDS = effort(5, 1)

/** Further events for each process. */
const WARM = effort(20, 1)

const HEADS = ['function', 'loaded, ms', 'first answer, ms', 'CPU until then, ms', 'next answer, ms', 'its CPU, ms']

/** What one process took, in milliseconds, in the order of the heads. */
type Times = readonly [loaded: number, first: number, firstCpu: number, next: number, nextCpu: number]

/** Every packaged function, cold and warm. */
export async function functions(): Promise<Findings> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-'))
  // The rate limiter has nothing against being measured.
  const deployment = await deploy('prod', folder, { WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: '1000000' })
  const running = runningFunctions((name) => deployment.start(name), 2)
  const { requests, jobs } = realEvents(callersOf(deployment, running))
  const start = (name: string) => () => deployment.start(name)
  const times = new Map([
    ...(await timesOf([
      ['(one that does nothing)', { start: () => startFunction(emptyFunction(folder)), event: () => ({}) }],
    ])),
    // Before the requests leave behind what a scan finds.
    ...(await timesOf(someOf(jobs).map(([name, [{ event }]]) => [name, { start: start(name), event }]))),
    ...(await timesOf(
      someOf(requests).map(([name, [{ request }]]) => [
        name,
        { start: start(name), event: async () => httpApiEvent(await request()) },
      ]),
    )),
  ])
  await running.stop()
  await deployment.stop()
  rmSync(folder, { recursive: true })
  return compared(HEADS, times)
}

function someOf<T>(all: Readonly<Record<string, T>>): readonly (readonly [string, T])[] {
  return Object.entries(all).slice(0, effort(Number.POSITIVE_INFINITY, 1))
}

interface Subject {
  start(): Promise<ExecutionEnvironment>
  /** A new one for each call. */
  event(): object | Promise<object>
}

async function timesOf(subjects: readonly (readonly [string, Subject])[]) {
  const times = new Map<string, Times[]>(subjects.map(([name]) => [name, []]))
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, subject] of subjects) times.get(name)?.push(await timed(subject))
  }
  return new Map([...times].map(([name, all]) => [name, mediansOf(all)]))
}

function emptyFunction(parent: string) {
  const folder = join(parent, 'empty')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'index.mjs'), 'export const handler = async () => ({ statusCode: 204 })\n')
  return { name: 'empty', handler: 'index.handler', timeoutSeconds: 10, memoryMegabytes: 512, environment: {}, folder }
}

async function timed({ start, event }: Subject): Promise<Times> {
  const given = await event()
  const environment = await start()
  const { milliseconds, cpu } = await invoke(environment, given)
  const next: [number, number][] = []
  let before = cpu
  for (let count = 0; count < WARM; count += 1) {
    const warm = await invoke(environment, await event())
    next.push([warm.milliseconds, warm.cpu - before])
    before = warm.cpu
  }
  await environment.stop()
  const of = (index: 0 | 1) => median(next.map((both) => both[index]))
  return [environment.loadTime, environment.loadTime + milliseconds, cpu, of(0), of(1)]
}

/** @returns CPU time since the start of the process */
async function invoke(environment: ExecutionEnvironment, event: object) {
  const start = performance.now()
  const { isError, payload, cpu } = await environment.invoke(event)
  const milliseconds = performance.now() - start
  if (isError) throw new Error(payload)
  return { milliseconds, cpu: cpu / 1000 }
}

function mediansOf(all: readonly Times[]): readonly number[] {
  return HEADS.slice(1).map((_, index) => median(all.map((times) => times[index] ?? 0)))
}
