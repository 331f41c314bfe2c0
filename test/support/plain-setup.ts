import type { TestProject } from 'vitest/node'
import { DIRECT, freeOffset, startStack } from './stack.ts'

/** One service with nothing but its defaults, for all tests of the project. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stack = await startStack({ PORT_OFFSET: String(await freeOffset()), DATA_DIR: 'memory' }, [], [], DIRECT)
  project.provide('http', stack.ready.http)
  project.provide('ready', stack.ready)
  return async () => {
    await stack.stop()
  }
}
