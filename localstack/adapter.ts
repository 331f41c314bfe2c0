import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import type { Link } from '../infra/builds.ts'
import type { DataFolder } from './data-folder.ts'
import { answers } from './emulators/dynamodb.ts'
import { startTethered } from './emulators/tethered.ts'
import { keepRunning } from './keep-running.ts'
import { HOST, type Ports } from './ports.ts'
import type { RunPart } from './supervisor.ts'

/** Shorter than the supervisor's time for the end of a part. */
const DRAIN_SECONDS = '1'

/**
 * The companion container's process. It joins the run before it can start, because its tables have to exist first.
 * @param built the build that it runs; without one it is built and started again when its sources have changed
 */
export function prepareAdapter(ports: Ports, hasStompTcp: boolean, { log }: DataFolder, built?: Link) {
  const ended = Promise.withResolvers<void>()
  let running: RunPart | undefined
  const part: RunPart = {
    name: 'The process of the channels',
    ended: ended.promise,
    async stop() {
      await running?.stop()
    },
  }
  return {
    part,
    /** Settles when the adapter listens. */
    async start(environment: NodeJS.ProcessEnv): Promise<void> {
      const own = {
        CHANNELS_HOST: HOST,
        GRPC_PORT: `${ports.grpc}`,
        WS_PORT: `${ports.ws}`,
        STOMP_TCP_PORT: hasStompTcp ? `${ports.stompTcp}` : undefined,
        DRAIN_SECONDS,
      }
      const run = (bundle: string) =>
        keepRunning(() => {
          const process = startTethered(part.name, [execPath, bundle], log.descriptor, { ...environment, ...own })
          return { part: process, up: answers(ports.grpc, process) }
        })
      // Resolves the link now, so that the whole run uses this build.
      const { part: kept, up } = built
        ? run(realpathSync(join(built, 'adapter/index.mjs')))
        : (await import('./dev/channels.ts')).startCurrent(part.name, run)
      running = kept
      void kept.ended.then(() => ended.resolve())
      await up
    },
  }
}
