import process, { exit } from 'node:process'
import { makeChannels } from '../../lib/app/channels.ts'

const { background, config, grpc, http, log } = await makeChannels()

/**
 * The channels of the companion container that have a port: all listen before any is announced, and all drain together.
 */
const CHANNELS = [
  { name: 'grpc', server: grpc, port: config.GRPC_PORT },
  { name: 'ws', server: http, port: config.WS_PORT },
]

await background.start()
const ports = await Promise.all(
  CHANNELS.map(async ({ name, server, port }) => [name, await server.listen(config.CHANNELS_HOST, port)] as const),
)
log.info('channels listen', { host: config.CHANNELS_HOST, ...Object.fromEntries(ports) })

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, drain)

async function drain(signal: NodeJS.Signals): Promise<void> {
  log.info('channels drain', { signal })
  await Promise.all(CHANNELS.map(({ server }) => server.drain(config.DRAIN_SECONDS * 1000)))
  await background.stop()
  exit(0)
}
