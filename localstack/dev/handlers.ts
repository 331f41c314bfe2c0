import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { handlerBundle, problemOf } from '../../infra/build.ts'
import { newFolder } from '../../infra/builds.ts'
import { foundHandlers } from '../../infra/handlers.ts'
import { HANDLERS } from '../../lib/deliver/handler-file.ts'
import { builderOf, candidates, handlerPlaces } from './bundle.ts'
import { keepCurrent } from './keep-current.ts'
import { changedSince, signaturesOf } from './signatures.ts'

const bundles = new Map<string, string>()

/**
 * Keeps the bundle of a handler up to date with its sources. If they cannot be built, each try fails with the place of
 * the mistake.
 * @param path as `shop/order-paid`
 * @param tell prints the faults of the sources
 * @returns a function to call before each event
 */
export function handlerProvider(path: string, tell: (problem: string) => void): () => Promise<void> {
  const build = builderOf(handlerBundle(path))
  let told: string | undefined
  const current = keepCurrent(candidates, async () => {
    const { files, write } = await build()
    return { value: write(), files }
  })
  globalThis.HANDLER_BUNDLES = bundles

  return async () => {
    try {
      bundles.set(path, await current())
      told = undefined
    } catch (error) {
      const problem = problemOf(error)
      if (problem !== told) tell(problem)
      told = problem
      bundles.set(path, failing(problem))
    }
  }
}

/** A module that answers each event with the place of a mistake. */
function failing(problem: string): string {
  const answer = `cannot be built: ${/^\S+:\d+:\d+/.exec(problem)?.[0] ?? 'see the terminal'}`
  const file = join(newFolder(), 'failing.mjs')
  writeFileSync(
    file,
    `process.on('message', () => process.send(${JSON.stringify({ kind: 'failed', answer })}))
    process.on('disconnect', () => process.exit())\n`,
  )
  return file
}

/** The interval between looks at the handlers, in milliseconds. */
const GLANCE = 500

/**
 * Calls back once when there are other handlers, or handlers for other events, than at the start; each needs a queue
 * and a function of its own. A configuration that cannot be read is reported, and changes nothing.
 */
export function onceOtherHandlers(tell: (text: string) => void, callBack: () => void): void {
  let signatures = signaturesOf(handlerPlaces())
  const atStart = foundHandlers()
  let isOver = false

  async function look(): Promise<void> {
    const places = handlerPlaces()
    if (changedSince(signatures).length === 0 && places.length === signatures.size) return
    signatures = signaturesOf(places)
    const found = await foundHandlers()
    const wrong = found.flatMap(({ path, problem }) => (problem ? [{ path, ...problem }] : []))
    for (const { path, line, column, text } of wrong) tell(`${HANDLERS}/${path}.ts:${line}:${column}: ${text}`)
    if (isOver || wrong.length > 0 || isDeepStrictEqual(found, await atStart)) return
    isOver = true
    callBack()
  }

  setInterval(() => void look(), GLANCE).unref()
}
