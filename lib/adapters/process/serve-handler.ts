import process, { argv, exit } from 'node:process'
import { Worker } from 'node:worker_threads'
import type { Handler, HandlerContext } from '../../deliver/handler.ts'
import { type HandlerResult, type HandlerTry, handlerEvent, thrownText } from '../../deliver/handler-try.ts'
import { consoleLog } from '../../runtime/log.ts'
import { correlated } from '../../runtime/trace.ts'

/** A handler's file. */
interface Module {
  readonly default?: unknown
}

/** The argument of a process that must end with its parent or its build, whatever its handler does. */
export const ENDS_WITH_PARENT = '--ends-with-parent'

const log = consoleLog(() => new Date())

/**
 * Runs a handler in this process, one event after the other, for the process that started it.
 * @param load throws what the handler's file throws
 */
export function serveHandler(load: () => Promise<Module>): void {
  const loaded = load()
  // `answer` reports the error with the first event.
  loaded.catch(() => {})
  process.on('message', (message) => void answer(loaded, message as HandlerTry))
  process.on('disconnect', () => exit())
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (thrown) => tell({ kind: 'failed', answer: thrownText(thrown) }, () => exit(1)))
  }
  if (argv.includes(ENDS_WITH_PARENT)) endWithParent()
}

async function answer(loaded: Promise<Module>, given: HandlerTry): Promise<void> {
  try {
    const { default: handle } = await loaded
    if (typeof handle !== 'function') throw new TypeError('the file has no default export that can be called')
    await correlated(given.correlation, () => (handle as Handler)(handlerEvent(given), contextOf(given)))
    tell({ kind: 'done' })
  } catch (thrown) {
    tell({ kind: 'failed', answer: thrownText(thrown) })
  }
}

function tell(result: HandlerResult, then = () => {}): void {
  if (process.connected) process.send?.(result, then)
  else then()
}

function contextOf({ event, idempotencyKey, secrets, abortsAt }: HandlerTry): HandlerContext {
  const own = { source: event.source, eventId: event.eventId }
  return {
    signal: AbortSignal.timeout(Math.max(0, abortsAt - Date.now())),
    idempotencyKey,
    log: {
      info: (message, fields) => log.info(message, { ...fields, ...own }),
      warn: (message, fields) => log.warn(message, { ...fields, ...own }),
      error: (message, fields) => log.error(message, { ...fields, ...own }),
    },
    secret(name) {
      const value = secrets.get(name)
      if (value === undefined) throw new Error(`gatehouse.config.ts gives this handler no secret ${name}`)
      return value
    },
  }
}

/**
 * Ends this process with its parent, or when its build has gone, even while a handler loops: a thread of its own watches
 * them.
 */
function endWithParent(): void {
  const watch = `const { ppid, pid } = process, { existsSync } = require('node:fs'), { workerData: file } = require('node:worker_threads')
    setInterval(() => process.ppid === ppid && existsSync(file) || process.kill(pid, 'SIGKILL'), 1000)`
  new Worker(watch, { eval: true, workerData: argv[1] }).unref()
}
