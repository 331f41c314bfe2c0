import { type ChildProcess, fork, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { env } from 'node:process'
import type { Costs } from './findings.ts'
import type { Environment } from './meter.ts'
import type { Bundles } from './peers.ts'
import type { Round } from './subject.ts'

/** A process that answers calls again and again, and tells what one took. */
export interface Subject {
  readonly name: string
  readonly child: ChildProcess
}

/** What a bundle prints is of no interest, but for its errors. */
export function startSubjects(bundles: Bundles, environment: Environment): Promise<readonly Subject[]> {
  const started = [...bundles].map(async ([name, bundle]) => {
    const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] satisfies StdioOptions
    const child = fork(`${import.meta.dirname}/subject.ts`, [bundle], { env: { ...env, ...environment }, stdio })
    await once(child, 'message')
    return { name, child }
  })
  return Promise.all(started)
}

/** What each subject took, in each round; the rounds go there and back again, so that drift hits all alike. */
export async function interleaved<T extends { readonly name: string }>(
  subjects: readonly T[],
  rounds: number,
  take: (subject: T) => Promise<number>,
): Promise<Costs> {
  const costs = new Map<string, number[]>(subjects.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++)
    for (const subject of round % 2 === 0 ? subjects : subjects.toReversed())
      costs.get(subject.name)?.push(await take(subject))
  return costs
}

/** What the subject took for what it was asked. @throws Error when it ends instead */
export async function ask({ name, child }: Subject, round: Round): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const end = () => reject(new Error(`${name} ended`))
  child.once('message', resolve).once('exit', end)
  child.send(round)
  return promise.finally(() => child.off('exit', end))
}
