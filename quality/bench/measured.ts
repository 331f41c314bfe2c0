import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Answer, Question } from './probe.ts'

/** A server in a process of its own, so that what its clients take does not count. */
export interface Measured {
  readonly port: number
  ask<Q extends Question>(question: Q): Promise<Answer<Q>>
}

/** Runs a server's process for as long as the work takes. Whatever it prints goes to standard error. */
export async function measured<T>(file: string, work: (server: Measured) => Promise<T>): Promise<T> {
  const child = fork(`${import.meta.dirname}/${file}`, { execArgv: ['--expose-gc'], stdio: ['ignore', 2, 2, 'ipc'] })
  const ended = once(child, 'exit')
  const tooSoon = ended.then(([code, signal]) => {
    throw new Error(`${file} ended with ${code ?? signal}`)
  })
  // Whoever waits for an answer is told; at the end nobody waits.
  tooSoon.catch(() => {})
  const heard = async () => (await Promise.race([once(child, 'message'), tooSoon]))[0]
  try {
    return await work({
      port: await heard(),
      ask(question) {
        child.send(question)
        return heard()
      },
    })
  } finally {
    child.kill()
    await ended
  }
}
