import { setSourceMapsEnabled } from 'node:process'
import { pathToFileURL } from 'node:url'
import { functionBundle, problemOf } from '../../infra/build.ts'
import { errorShape } from '../../lib/contract/error-shape.ts'
import { fail } from '../../lib/errors.ts'
import { builderOf, candidates } from './bundle.ts'
import { provideConsole } from './console.ts'
import { handlerProvider } from './handlers.ts'
import { keepCurrent } from './keep-current.ts'

interface Event {
  /** Only calls over HTTP have one; jobs fail as they do on Lambda. */
  readonly rawPath?: string
}
type Handler = (event: Event, context: unknown) => unknown
type Module = Readonly<Record<string, Handler>>

/** A function as the gateway reads it. */
interface Declared {
  /** The path of a file without its extension, and the name of its export. */
  handler: string
  timeout?: number
}

/** In seconds: a call may wait for a build. */
const TIMEOUT = 60

/** What the gateway calls, by the name of the function. */
export const handlers: Record<string, Handler> = {}

/**
 * Makes the gateway serve each function as its sources are at the time of the call. Versions that were loaded before
 * stay in memory.
 * @param team the paths of the team's own code, by the names of the functions that run it
 * @param tell prints what is wrong with the sources
 */
export function serveCurrent(
  functions: Readonly<Record<string, Declared>>,
  team: ReadonlyMap<string, string>,
  tell: (problem: string) => void,
): void {
  setSourceMapsEnabled(true)
  // Functions of one source share its versions, which have one place on the disk.
  const modules = new Map<string, () => Promise<Module>>()
  for (const [name, declared] of Object.entries(functions)) {
    const [path = '', exported = ''] = declared.handler.split('.')
    const source = sourceOf(path)
    const load = modules.get(source) ?? keepCurrent(candidates, loaderOf(source))
    modules.set(source, load)
    const ofTeam = team.get(name)
    const handle = currentHandler({ source, load }, exported, tell)
    handlers[name] = ofTeam === undefined ? handle : withBundle(ofTeam, handle, tell)
    declared.handler = `localstack/dev/functions.handlers.${name}`
    declared.timeout = TIMEOUT
  }
}

/** The source of a bundle; a local function has none and is its own source. */
function sourceOf(path: string): string {
  const bundle = /^dist\/(.+)\/index$/.exec(path)?.[1]
  return bundle === undefined ? `${path}.mjs` : `functions/${bundle}.ts`
}

interface Current {
  readonly source: string
  readonly load: () => Promise<Module>
}

function currentHandler({ source, load }: Current, exported: string, tell: (problem: string) => void): Handler {
  let told: string | undefined

  async function current(): Promise<Handler> {
    const handler = (await load())[exported]
    if (handler === undefined) throw new Error(`${source} exports no ${exported}`)
    told = undefined
    return handler
  }

  return async (event, context) => {
    let handler: Handler
    try {
      handler = await current()
    } catch (error) {
      const problem = problemOf(error)
      if (problem !== told) tell(problem)
      told = problem
      if (event.rawPath === undefined) throw error
      return failure(problem, event.rawPath)
    }
    return handler(event, context)
  }
}

/** Has the team's code as its sources are, too. */
function withBundle(path: string, handle: Handler, tell: (problem: string) => void): Handler {
  const provide = handlerProvider(path, tell)
  return async (event, context) => {
    await provide()
    return handle(event, context)
  }
}

function loaderOf(source: string) {
  const build = builderOf(functionBundle(source))
  let loaded: { readonly code: string; readonly value: Module } | undefined
  return async () => {
    const { code, files, write } = await build()
    const ofConsole = await provideConsole(code)
    // The console is not part of the code that reads it.
    if (loaded?.code !== code || ofConsole.length > 0)
      loaded = { code, value: await import(pathToFileURL(write()).href) }
    return { value: loaded.value, files: [...files, ...ofConsole] }
  }
}

/** The answer of a function whose sources cannot be loaded. */
function failure(problem: string, path: string) {
  const body = { ...errorShape(fail('UNEXPECTED'), { path, now: new Date() }), message: problem }
  return {
    statusCode: 500,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify(body),
  }
}
