import { once } from 'node:events'
import process, { exit, stderr, stdout } from 'node:process'

/**
 * The local half of the deployment engine: it builds the bundles for every package, and provides the cloud in offline
 * runs. It imports on use what only a local run needs, so that a deployment loads none of it.
 */
export default class LocalCloud {
  #running = new AbortController()
  #startEvents = (/** @type {AbortSignal} */ _running) => {}
  #engine

  /**
   * @param {import('./stack/prepare-run.ts').LocalRunEngine & import('./stack/check-once.ts').SchemaEngine} engine
   * @param {import('./stack/prepare-run.ts').Options} options
   */
  constructor(engine, options) {
    this.#engine = engine
    const port = { usage: 'A port', type: 'string', required: true }
    this.commands = {
      strict: {
        usage: 'Serves the functions as API Gateway and Lambda do',
        lifecycleEvents: ['run'],
        options: { httpPort: port, lambdaPort: port },
      },
    }
    this.hooks = {
      'before:package:initialize': bundle,
      'before:package:function:package': bundle,
      'before:offline:start:init': async () => {
        const [{ prepareOffline }, { isDev }] = await Promise.all([import('./stack/offline.ts'), permission()])
        const { environment, startEvents } = await prepareOffline(engine, options, isDev)
        this.#startEvents = startEvents
        process.send?.({ event: 'provided', environment })
      },
      'offline:start:ready': () => {
        this.#startEvents(this.#running.signal)
        process.send?.({ event: 'ready' })
      },
      'before:offline:start:end': () => this.#running.abort(),
      'strict:run': async () => {
        const [{ runStrict }] = await Promise.all([import('./strict/run.ts'), permission()])
        const { environment, startEvents, stop } = await runStrict(engine, options)
        process.send?.({ event: 'provided', environment })
        startEvents(this.#running.signal)
        process.send?.({ event: 'ready' })
        await once(process, 'SIGTERM')
        this.#running.abort()
        await stop()
        exit(0)
      },
    }
    if (process.send) dieWithParent()
    outliveLog()
  }

  async asyncInit() {
    if (!process.send) return
    const { checkOnce } = await import('./stack/check-once.ts')
    checkOnce(this.#engine)
  }
}

async function bundle() {
  const { DIST, freshBuild } = await import('../infra/builds.ts')
  await freshBuild(DIST)
}

/**
 * The parent starts the emulators and the bundles while the engine loads, and then sends this permission.
 * @returns {Promise<{ readonly isDev: boolean }>}
 */
function permission() {
  if (!process.send) throw new Error('The offline gateway is started by `npm start`.')
  const { promise, resolve } = Promise.withResolvers()
  process.once('message', resolve)
  return promise
}

/** Ends with the parent. Otherwise a gateway whose parent was killed would keep its ports. */
function dieWithParent() {
  if (!process.connected) exit(1)
  process.once('disconnect', () => exit(1))
  // Waiting for the parent must not keep the process alive when everything else has ended.
  process.channel?.unref()
}

/** A full disk must stop the log until there is space again, but not the gateway. */
function outliveLog() {
  for (const stream of [stdout, stderr]) stream.on('error', () => {})
}
