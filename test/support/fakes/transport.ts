import { Buffer } from 'node:buffer'
import type { Transport } from '../../../lib/stomp/broker.ts'
import { Parser } from '../../../lib/stomp/codec/parser.ts'

interface ReceivedFrame {
  readonly command: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Keeps what was sent. */
export interface RecordingTransport extends Transport {
  readonly frames: readonly ReceivedFrame[]
  /** How many pieces were heart-beats. */
  readonly beats: number
  /** Code and reason of each close. */
  readonly closes: readonly (readonly [number, string])[]
  bytesBuffered: number
  readonly isPaused: boolean
}

export function recordingTransport(): RecordingTransport {
  const parser = new Parser({ lineBytes: 2 ** 16, headers: 100, bodyBytes: 2 ** 20 })
  const frames: ReceivedFrame[] = []
  const closes: [number, string][] = []
  const transport = {
    frames,
    closes,
    beats: 0,
    bytesBuffered: 0,
    isPaused: false,
    send(bytes: Uint8Array) {
      if (bytes.length === 1) transport.beats += 1
      parser.push(bytes)
      for (let next = parser.next(); next; next = parser.next()) {
        const { command, headers, body } = next
        frames.push({ command, headers: Object.fromEntries(headers), body: Buffer.from(body).toString() })
        if (command === 'CONNECTED') parser.version = (headers.get('version') ?? '1.2') as '1.2'
      }
    },
    close: (code: number, reason: string) => void closes.push([code, reason]),
    terminate: () => {},
    pause: () => {
      transport.isPaused = true
    },
    resume: () => {
      transport.isPaused = false
    },
    buffered: () => transport.bytesBuffered,
  }
  return transport
}
