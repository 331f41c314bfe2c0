import { randomInt } from 'node:crypto'
import { HOST, isFree } from '../ports.ts'
import { StartError } from '../start-error.ts'

/** The address on which an emulator listens. */
export interface ListenAddress {
  readonly host: string
  readonly port: number
}

/**
 * Ports that browsers refuse to connect to (Fetch standard, "port blocking") and that need no privileges to listen on.
 */
export const BLOCKED = [
  6665, 6666, 6667, 6668, 6669, 6566, 6679, 6697, 10080, 4190, 4045, 3659, 2049, 5060, 5061, 1719, 1720,
]

/**
 * An address that no web page can find or reach, for an emulator that answers every caller: a port that browsers block,
 * at a random loopback address. macOS has only one such address.
 * @throws StartError when every such port is taken
 */
export async function hiddenPlace(isAvailable = isFree): Promise<ListenAddress> {
  for (const host of [randomLoopback(), HOST]) {
    for (const port of BLOCKED) if (await isAvailable(port, host)) return { host, port }
  }
  throw new StartError(`DynamoDB needs one of these ports: ${BLOCKED.join(', ')}. All are taken.`)
}

function randomLoopback(): string {
  const [first, second, third] = [randomInt(1, 255), randomInt(256), randomInt(1, 255)]
  return `127.${first}.${second}.${third}`
}
