import type { TestProject } from 'vitest/node'
import { serveApi } from './served-api.ts'
import { DIRECT } from './stack.ts'

/** The service with all its functions in one process, from their sources. */
export function setup(project: TestProject): Promise<() => Promise<void>> {
  return serveApi(project, { program: DIRECT })
}
