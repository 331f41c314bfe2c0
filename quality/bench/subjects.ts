import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { env } from 'node:process'
import type { Cost } from './cost.ts'

/** A process that does what it is told, again and again, and tells what one call took. */
export interface Subject {
  readonly name: string
  readonly child: ChildProcess
}

/** How often the same is measured, and what is asked of a subject each time. */
export interface Plan<Q extends object> {
  readonly rounds: number
  /** What compiles the code that the rounds measure. */
  readonly warmUp: Q
  readonly round: () => Q
}

/** @param file of a subject, in this folder; what it prints is of no interest, but for its errors */
export async function startSubject(
  name: string,
  file: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Subject> {
  const child = fork(`${import.meta.dirname}/${file}`, [...args], {
    env: { ...env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  await once(child, 'message')
  return { name, child }
}

/** What each subject took, in each round; the rounds go there and back again, so that drift hits all alike. */
export async function interleaved<Q extends object>(
  subjects: readonly Subject[],
  { rounds, warmUp, round }: Plan<Q>,
): Promise<ReadonlyMap<string, readonly Cost[]>> {
  const costs = new Map<string, Cost[]>(subjects.map(({ name }) => [name, []]))
  for (const subject of subjects) await ask(subject, warmUp)
  for (let count = 0; count < rounds; count++) {
    const order = count % 2 === 0 ? subjects : subjects.toReversed()
    for (const subject of order) costs.get(subject.name)?.push(await ask(subject, round()))
  }
  return costs
}

/** What the subject took for what it was asked. @throws Error when it ends instead */
export async function ask({ name, child }: Subject, question: object): Promise<Cost> {
  const { promise, resolve, reject } = Promise.withResolvers<Cost>()
  const end = () => reject(new Error(`${name} ended`))
  child.once('message', resolve).once('exit', end)
  child.send(question)
  return promise.finally(() => child.off('exit', end))
}
