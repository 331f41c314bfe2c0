import { cpus } from 'node:os'
import { version } from 'node:process'

/** Where and when figures were taken, which mean little elsewhere. */
export function machine(now: Date): string {
  const cores = cpus()
  return `${now.toISOString().slice(0, 10)}, ${cores.length} cores of ${cores[0]?.model.trim()}, Node ${version}`
}
