import { CallRefused } from '../problem.ts'

interface RecordedCall {
  readonly source: string
  readonly at: string
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly bodyBase64: string
  }
}

/**
 * Reads a call as HTTP/1.1 writes it (RFC 9112): a request line, headers, an empty line, the body.
 * @throws CallRefused when there is no request line
 */
export function callFromHttp(source: string, text: string, at: Date): RecordedCall {
  const [, head = text, separator = ''] = /^([\s\S]*?)(\r?\n\r?\n|$)/.exec(text) ?? []
  const [first = '', ...lines] = head.split(/\r?\n/)
  const [, method, url] = /^([A-Z]+) (\S+)/.exec(first) ?? []
  if (method === undefined || url === undefined)
    throw new CallRefused('The first line has to be a request line, as in "POST /webhooks/stripe HTTP/1.1".')
  const body = new TextEncoder().encode(text.slice(head.length + separator.length))
  return {
    source,
    at: at.toISOString().slice(0, -1),
    request: { method, url, headers: headersIn(lines), bodyBase64: btoa(binaryOf(body)) },
  }
}

/** The values of a header that comes several times are one list (RFC 9110 section 5.3). */
function headersIn(lines: readonly string[]): Readonly<Record<string, string>> {
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase()
    const value = line.slice(colon + 1).trim()
    const before = headers.get(name)
    if (name !== '') headers.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return Object.fromEntries(headers)
}

/** A call takes no million arguments. */
const AT_ONCE = 32_768

/** Each byte as a character. */
function binaryOf(bytes: Uint8Array): string {
  let text = ''
  for (let from = 0; from < bytes.length; from += AT_ONCE)
    text += Reflect.apply(String.fromCharCode, undefined, bytes.subarray(from, from + AT_ONCE))
  return text
}
