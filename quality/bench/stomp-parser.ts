import { Parser } from '../../lib/stomp/codec/parser.ts'
import { comparison } from './comparison.ts'
import { cpuRounds, type Work } from './cpu-rounds.ts'
import { effort } from './effort.ts'
import { type Findings, together } from './findings.ts'
import { peer } from './peers.ts'

const ROUNDS = effort(7, 1)

/** Bytes of a body, as a row names them, and the goal against the parser of stompjs. */
const SIZES = [
  { bytes: 100, name: '100 B', least: 5 },
  { bytes: 1024, name: '1 KiB', least: 5 },
  { bytes: 16_384, name: '16 KiB', least: 100 },
]

/** Bytes that a round reads at least, so that each takes about as long. */
const ROUND_BYTES = effort(4 * 2 ** 20, 1)
const LEAST_CALLS = effort(2000, 20)

/** The reading of one SEND: ours, which checks what it reads, and others that do not. */
export async function stompParser(): Promise<Findings> {
  const pieces: Record<string, Findings> = {}
  for (const { bytes, name, least } of SIZES) {
    const frame = sendFrame(bytes)
    const what = `a body of ${name}`
    pieces[what] = comparison({
      what: `STOMP parser, ${what}`,
      unit: 'µs of CPU',
      costs: await cpuRounds(
        new Map([...(await readers())].map(([subject, read]) => [subject, workOf(read, frame)])),
        ROUNDS,
      ),
      atLeast: { stompjs: least },
    })
  }
  return together(pieces)
}

/** Reads a frame that is there as a whole, and tells its command. */
type Read = (bytes: Uint8Array) => string | undefined

const PEERS = ['stompjs', 'stomp-broker-js']

/** Each reads with one parser all along, as a connection does. */
async function readers(): Promise<ReadonlyMap<string, Read>> {
  const peers = PEERS.map(async (name) => {
    const { createReader } = await peer<{ createReader(): Read }>(`parsers/${name}.mjs`)
    return [name, createReader()] as const
  })
  return new Map([['gatehouse', ourReader()], ...(await Promise.all(peers))])
}

function ourReader(): Read {
  const parser = new Parser()
  return (bytes) => {
    parser.push(bytes)
    return parser.next()?.command
  }
}

function workOf(read: Read, bytes: Uint8Array): Work {
  return {
    calls: Math.max(LEAST_CALLS, Math.floor(ROUND_BYTES / bytes.length)),
    run() {
      if (read(bytes) !== 'SEND') throw new Error('the frame was not read')
    },
  }
}

/** In a buffer of its own, as a socket hands it over. */
function sendFrame(length: number): Uint8Array {
  const head = [
    'SEND',
    'destination:/topic/public/bench',
    'content-type:application/json',
    `content-length:${length}`,
    '\n',
  ].join('\n')
  return new TextEncoder().encode(`${head}${'x'.repeat(length)}\0`)
}
