import { sinceReset } from '../stack/clock.mjs'
import { type LocalHandler, rawPathOf } from '../stack/guard.ts'
import type { LabRun, openLab } from './lab.ts'

const LAB = /^\/lab(?:\/|$)/

/** Answers what is below `/lab`. It loads the lab with the first such request, as most runs have none. */
export function labHandler(run: LabRun): LocalHandler {
  const opened = sinceReset(async (): Promise<ReturnType<typeof openLab>> => {
    const lab = await import('./lab.ts')
    return lab.openLab(run)
  })

  return (request, response) => {
    if (!LAB.test(rawPathOf(request.url ?? '/'))) return false
    void opened().then((answer) => answer(request, response))
    return true
  }
}
