import { parseJson } from './json.ts'
/** A request that a page is about to make. */
export interface Call {
  readonly method: string
  /** With the query, percent-encoded. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Whether to send the cookies. */
  readonly withSession: boolean
}

/** A request and its answer. */
export interface Exchange {
  readonly call: Call
  readonly status: number
  /** The headers that a script can read: all but `Set-Cookie`. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly text: string
  readonly milliseconds: number
}

/**
 * Makes the request. Without the session it sends no cookie, and a `Basic` challenge opens no prompt of the browser.
 * Rejects when there is no answer.
 */
export async function makeCall(call: Call): Promise<Exchange> {
  const { method, path, headers, body, withSession } = call
  const start = performance.now()
  const response = await fetch(path, {
    method,
    headers,
    credentials: withSession ? 'same-origin' : 'omit',
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  const milliseconds = Math.round(performance.now() - start)
  return { call, status: response.status, headers: [...response.headers], text, milliseconds }
}

export const JSON_HEADERS = { accept: 'application/json' }

/** The value of `Authorization` for a username and a password (RFC 7617 section 2.1: in UTF-8). */
export function basicCredentials(username: string, password: string): string {
  const bytes = new TextEncoder().encode(`${username}:${password}`)
  return `Basic ${btoa(String.fromCharCode(...bytes))}`
}

export function formBody(fields: Readonly<Record<string, string>>): Pick<Call, 'headers' | 'body'> {
  const headers = { ...JSON_HEADERS, 'content-type': 'application/x-www-form-urlencoded' }
  return { headers, body: new URLSearchParams(fields).toString() }
}

/** The CSRF token of the session in cookies.txt, whose name has a prefix over https: the page's belongs to another session. */
const OWN_CSRF_TOKEN = `-H "x-xsrf-token: $(awk '$6 ~ /XSRF-TOKEN$/ { print $7 }' cookies.txt)"`

/** The request as a command for a POSIX shell; with a session, it uses the one that a login saved in cookies.txt. */
export function curlOf({ method, path, headers, body, withSession }: Call, origin: string): string {
  const words = [
    `curl -i ${method === 'GET' ? '' : `-X ${method} `}${quoted(`${origin}${path}`)}`,
    ...Object.entries(headers).map(([name, value]) =>
      name === 'x-xsrf-token' ? OWN_CSRF_TOKEN : `-H ${quoted(`${name}: ${value}`)}`,
    ),
    ...(withSession ? ['-b cookies.txt'] : []),
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ]
  return words.join(' \\\n  ')
}

/** Quotes any text as one shell word (POSIX, Shell Command Language, 2.2.2). */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** JSON with indents; any other text as it is. */
export function prettyText(text: string): string {
  const value = parseJson(text)
  return value === undefined ? text : JSON.stringify(value, undefined, 2)
}
