import type { Documents } from './client.ts'

const ANSWER = { output: { $metadata: {} }, response: undefined } as never

/** Builds and signs each request but sends none, and answers as to a write. */
export function unsent(documents: Documents): Documents {
  const send: Documents['send'] = (command: Parameters<Documents['send']>[0]) => {
    command.middlewareStack.add(() => async () => ANSWER, { step: 'finalizeRequest', priority: 'low' })
    return documents.send(command)
  }
  return { send }
}
