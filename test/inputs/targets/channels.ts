import { Buffer } from 'node:buffer'
import { Metadata } from '@grpc/grpc-js'
import { bearerCheck, createTokens } from '../../../lib/auth/token.ts'
import { authenticate } from '../../../lib/grpc/access.ts'
import { logLibrary } from '../../../lib/grpc/server.ts'
import { type Frame, mayHaveBody, ProtocolError, VERSIONS } from '../../../lib/stomp/codec/frame.ts'
import { FRAME_LIMITS, Parser } from '../../../lib/stomp/codec/parser.ts'
import { fixedClock } from '../../support/fakes/clock.ts'
import { FIRST_KEY } from '../../support/fakes/jwt.ts'
import { noKeys } from '../../support/fakes/keys.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { everyAccount } from '../../support/fakes/principals.ts'
import { stompWorld, tokenOf } from '../../support/stomp-session.ts'
import { unlessRejected } from '../refusal.ts'
import { bytesOf, hold, type Target } from '../target.ts'

const FRAMES = [
  'CONNECT\naccept-version:1.0,1.1,1.2\nheart-beat:10000,10000\nAuthorization:Bearer a.b.c\n\n\0',
  'STOMP\r\naccept-version:1.2\r\nhost:x\r\n\r\n\0\r\n',
  'SEND\ndestination:/topic/public/a\ncontent-length:5\nreceipt:r1\n\nab\0de\0',
  'SEND\ndestination:/topic/public/a\nx:\\n\\c\\\\\\r\nx:second\n\nhello ✓\0\n\n',
  'SUBSCRIBE\nid:0\ndestination:/topic/public/a\nack:client-individual\n\n\0',
  'ACK\nid:1-1\ntransaction:t\n\n\0',
  '\n\nBEGIN\ntransaction:t\n\n\0COMMIT\ntransaction:t\n\n\0',
  'DISCONNECT\nreceipt:bye\n\n\0',
]
const WORDS = ['\0', '\n', '\r\n', ':', '\\', '\\x', 'content-length:', '999999999', '\ufeff', 'SEND', 'a'.repeat(9000)]

/** Its first byte chooses the version and how the rest is cut into pieces: the frames are the same, however it is cut. */
const frames: Target = {
  name: 'stomp-frames',
  seeds: bytesOf(...FRAMES.flatMap((text) => [`\u0002${text}`, `\u0031${text}${text}`])),
  dictionary: WORDS,
  run(input) {
    const [choice = 0] = input
    const whole = framesIn(input.subarray(1), choice, Number.POSITIVE_INFINITY)
    const inPieces = framesIn(input.subarray(1), choice, 1 + (choice >> 2) + (input.length >> 8))
    hold(whole.join('\n') === inPieces.join('\n'), 'frames that depend on how they come')
  },
}

/** What each frame says, and at last the rule that the rest breaks. */
function framesIn(bytes: Buffer, choice: number, size: number): readonly string[] {
  const parser = new Parser()
  parser.version = VERSIONS[choice % VERSIONS.length] ?? '1.2'
  const found: string[] = []
  try {
    for (let from = 0; from < bytes.length; from += size) {
      parser.push(bytes.subarray(from, from + size))
      for (let frame = parser.next(); frame; frame = parser.next()) found.push(told(frame))
    }
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    found.push(error.violation)
  }
  return found
}

function told({ command, headers, body }: Frame): string {
  hold(headers.size <= FRAME_LIMITS.headers && body.length <= FRAME_LIMITS.bodyBytes, 'a frame beyond the limits')
  hold(body.length === 0 || mayHaveBody(command), `${command} with a body`)
  return JSON.stringify([command, [...headers], Buffer.from(body).toString('latin1')])
}

const CONNECT = `CONNECT\naccept-version:1.2\nAuthorization:Bearer ${tokenOf('alice')}\n\n\0`

/** Behind a good CONNECT, and without one: whatever comes, no session fails by a fault of ours. */
const sessions: Target = {
  name: 'stomp-sessions',
  seeds: bytesOf(CONNECT, ...FRAMES.map((text) => CONNECT + text), FRAMES.slice(2).join('')),
  dictionary: [...WORDS, '/topic/', '/user/', 'transaction:', 'receipt:', 'ack:client', 'heart-beat:0,0'],
  weight: 0.02,
  async run(input) {
    const { open, log } = await stompWorld()
    const { say, session } = open()
    await say(input)
    session.closed()
    const [fault] = log.entries.filter(({ level }) => level === 'error')
    hold(fault === undefined, `a fault of ours: ${fault?.message} ${fault?.fields['cause']}`)
  },
}

const PATHS = ['/gatehouse.v1.AuthService/WhoAmI', '/gatehouse.v1.SecureService/PublicHello', '/', '']
const GOOD = tokenOf('alice')
const tokens = createTokens({ keys: { current: [FIRST_KEY] }, lifetimeSeconds: 60, clock: fixedClock() })
const checkToken = bearerCheck(tokens)

/** The values of `authorization`, a line each. */
const metadata: Target = {
  name: 'grpc-metadata',
  seeds: bytesOf(`Bearer ${GOOD}`, `bearer ${GOOD}\nBearer x`, 'Basic abc', `Bearer ${GOOD}, Bearer ${GOOD}`),
  dictionary: ['Bearer ', '\n', ', ', '\t', ' '],
  weight: 0.3,
  async run(input) {
    const log = recordingLog()
    logLibrary(log)
    const lines = input.toString('latin1').split('\n')
    const given = Metadata.fromHttp2Headers(Object.fromEntries([['authorization', lines]]))
    for (const path of PATHS) {
      const refusals = [
        'SCHEME_NOT_ACCEPTED',
        'AUTHENTICATION_REQUIRED',
        'TOKEN_INVALID',
        'TOKEN_EXPIRED',
        'VALIDATION_FAILED',
      ] as const
      const principal = await unlessRejected(refusals, () =>
        authenticate(given, path, { check: checkToken, accounts: everyAccount, keys: noKeys }),
      )
      hold(!JSON.stringify(log.entries).includes(GOOD.slice(0, 20)), 'a token in the log')
      hold(principal === undefined || lines.some((line) => line.includes(GOOD)), 'somebody without a token')
    }
  },
}

export const CHANNEL_TARGETS: readonly Target[] = [frames, sessions, metadata]
