import { execPath, stderr } from 'node:process'
import type { DataFolder } from './data-folder.ts'
import { answers, keepRunning, type RunPart, startChild } from './parts.ts'
import { LISTEN_HOST, type Ports } from './ports.ts'

/** Shorter than the supervisor's time for the end of a part. */
const DRAIN_SECONDS = '1'

/**
 * The companion container's process. It joins the run before it can start, because its tables have to exist first.
 * @param newest finds the file that it runs
 * @param isDev whether the run goes on without a process that does not start, until its code has changed
 */
export function prepareAdapter(ports: Ports, { log }: DataFolder, newest: () => string, isDev: boolean) {
  const ended = Promise.withResolvers<void>()
  let begin = () => Promise.resolve()
  let running: RunPart | undefined
  let isStopping = false
  const part: RunPart = {
    name: 'The process of the channels',
    ended: ended.promise,
    async stop() {
      isStopping = true
      await running?.stop()
      ended.resolve()
    },
  }
  return {
    part,
    /** Settles when the adapter listens. */
    start(environment: NodeJS.ProcessEnv): Promise<void> {
      const own = {
        CHANNELS_HOST: LISTEN_HOST,
        GRPC_PORT: `${ports.grpc}`,
        WS_PORT: `${ports.ws}`,
        DRAIN_SECONDS,
      }
      begin = async () => {
        // Found now, so that a restart uses the same build.
        const file = newest()
        const { part: kept, up } = keepRunning(() => {
          const process = startChild(part.name, [execPath, file], log.descriptor, { ...environment, ...own })
          return { part: process, up: answers(ports.grpc, process) }
        })
        running = kept
        void kept.ended.then(() => {
          if (running !== kept || isStopping) return
          if (isDev) stderr.write(`${part.name} does not start; the next change of its sources starts it again.\n`)
          else ended.resolve()
        })
        await up
      }
      return begin()
    },
    /** Ends its sessions, and starts it from the newest build. */
    async restart(): Promise<void> {
      const before = running
      running = undefined
      await before?.stop()
      await before?.ended
      // A version that hangs must not keep the next one from starting.
      if (!isStopping) void begin()
    },
  }
}
