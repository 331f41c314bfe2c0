import { Buffer } from 'node:buffer'
import { type ShownBytes, shownBytes } from '../runtime/text.ts'

/** So much of the body of an answer is read and kept, in bytes; of a success less is kept. */
export const MOST_READ = 1024
const MOST_OF_SUCCESS = 128

/** The headers of an answer that are kept: at most so many, and so many characters of each value and in all. */
const HEADERS = { count: 20, value: 256, all: 1024 }

/** What is kept of an answer. Of older attempts only the status is. */
export interface KeptAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: ShownBytes | undefined
}

/** An answer as it came. */
export interface ReceivedAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The first bytes. */
  readonly body: Buffer
  /** Whether that is all of it. */
  readonly isWhole?: boolean
}

/** In the place of a secret. */
export const HIDDEN = '…'

export function isSecretHeader(name: string): boolean {
  return /authorization|cookie|signature|secret|token|password|api-?key/i.test(name)
}

/** An answer without secrets. @param secrets the texts that the receiver may know from us */
export function keptAnswer(answer: ReceivedAnswer, secrets: readonly string[] = []): KeptAnswer {
  const { status, headers = {}, isWhole = true } = answer
  // What is compressed may hold hidden secrets.
  const isCoded = !['', 'identity'].includes(String(headers['content-encoding'] ?? ''))
  const bytes = isCoded ? Buffer.alloc(0) : withoutSecrets(answer.body, secrets, isWhole)
  const most = status >= 200 && status < 300 ? MOST_OF_SUCCESS : MOST_READ
  return { status, headers: keptHeaders(headers, secrets), body: shownBytes(bytes, most, isWhole && !isCoded) }
}

function keptHeaders(headers: NonNullable<ReceivedAnswer['headers']>, secrets: readonly string[]) {
  let left = HEADERS.all
  const kept = Object.entries(headers)
    .slice(0, HEADERS.count)
    .map(([name, given]) => {
      const text = withoutSecrets(Buffer.from([given].flat().join(', ')), secrets, true).toString()
      return [name, isSecretHeader(name) ? HIDDEN : text.slice(0, HEADERS.value)] as const
    })
  return Object.fromEntries(
    kept.filter(([name, value]) => {
      left -= name.length + value.length
      return left >= 0
    }),
  )
}

/** Of a secret that the end of the bytes cuts, so many characters betray nothing. */
const HARMLESS = 4

/** Also where a secret is written as JSON, an address or base64 has it. */
function withoutSecrets(bytes: Buffer, secrets: readonly string[], isWhole: boolean): Buffer {
  const hidden = Buffer.from(HIDDEN).toString('latin1')
  let text = bytes.toString('latin1')
  for (const secret of secrets.flatMap(spellingsOf)) {
    text = text.replaceAll(secret, hidden)
    const cut = isWhole ? 0 : cutLength(text, secret)
    if (cut > HARMLESS) text = text.slice(0, -cut) + hidden
  }
  return Buffer.from(text, 'latin1')
}

function spellingsOf(secret: string): readonly string[] {
  const base64 = Buffer.from(secret).toString('base64').replace(/=+$/, '')
  return [secret, secret.replaceAll('/', '\\/'), encodeURIComponent(secret), base64]
}

/** How much of the beginning of a secret is at the end of a text. */
function cutLength(text: string, secret: string): number {
  let length = secret.length - 1
  while (length > 0 && !text.endsWith(secret.slice(0, length))) length--
  return length
}
