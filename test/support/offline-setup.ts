import type { TestProject } from 'vitest/node'
import { serveApi } from './served-api.ts'

/** The service as `npm start` runs it. */
export function setup(project: TestProject): Promise<() => Promise<void>> {
  return serveApi(project)
}
