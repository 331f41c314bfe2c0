import { stdout } from 'node:process'
import { freshBundles } from '../../localstack/bundles.ts'
import { readOptions, runCommand, wholeOption } from '../../localstack/command.ts'
import { besiege } from './strangers.ts'

const USAGE = `npm run quality -- strangers [options]

Starts the container's process with the heap that it has on AWS and sends it a crowd without a token, which comes back as
often as it is sent away. Exit 1 if the process dies, or if meanwhile a client with a token is not let in at once.

  --streams N    of gRPC's Health/Watch (20000)
  --sockets N    that say nothing, on both ports (10000)
  --addresses N  that they come from, 127.0.1.1 and up (100)
`

const OPTIONS = {
  streams: { type: 'string', default: '20000' },
  sockets: { type: 'string', default: '10000' },
  addresses: { type: 'string', default: '100' },
} as const

await runCommand({ name: 'quality -- strangers', usage: USAGE, run })

async function run(args: readonly string[]): Promise<number> {
  const { values } = readOptions({ args: [...args], options: OPTIONS })
  const crowd = {
    streams: wholeOption('--streams', values.streams, [100, 100_000]),
    sockets: wholeOption('--sockets', values.sockets, [3, 18_000]),
    addresses: wholeOption('--addresses', values.addresses, [1, 254]),
  }
  await freshBundles()
  const siege = await besiege(crowd)
  stdout.write(`tried: ${crowd.streams} streams and ${crowd.sockets} silent sockets from ${crowd.addresses} addresses
answered: ${siege.streamsAnswered} streams at least once
the process: ${siege.lives ? `lives, ${siege.peakMebibytes} MiB at most, ${siege.descriptors} file descriptors now` : 'died'}; its health check: ${siege.healthCheck}
a client with a token: gRPC ${siege.grpc}, STOMP ${siege.stomp}
`)
  const isLetIn = siege.grpc === 'OK' && siege.stomp === 'CONNECTED'
  return siege.lives && isLetIn && siege.healthCheck === 'well' ? 0 : 1
}
