import { type LocalHandler, rawPathOf } from '../stack/guard.ts'
import type { LabRun, openLab } from './lab.ts'

const LAB = /^\/lab(?:\/|$)/

/** Answers what is below `/lab`. It loads the lab with the first such request, as most runs have none. */
export function labHandler(run: LabRun): LocalHandler {
  let opened: Promise<ReturnType<typeof openLab>> | undefined

  async function load() {
    const lab = await import('./lab.ts')
    return lab.openLab(run)
  }

  return (request, response) => {
    if (!LAB.test(rawPathOf(request.url ?? '/'))) return false
    opened ??= load()
    void opened.then((answer) => answer(request, response))
    return true
  }
}
