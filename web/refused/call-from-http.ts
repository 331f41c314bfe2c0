import { CallRefused } from '../ask.ts'

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
  const headers = lines.flatMap((line) => {
    const colon = line.indexOf(':')
    return colon < 1 ? [] : [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()] as const]
  })
  const body = new TextEncoder().encode(text.slice(head.length + separator.length))
  return {
    source,
    at: at.toISOString().slice(0, -1),
    request: { method, url, headers: Object.fromEntries(headers), bodyBase64: btoa(String.fromCharCode(...body)) },
  }
}
