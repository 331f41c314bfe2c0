import type { Call } from './call.ts'

/** The token of the session that cookies.txt holds: the one of the page belongs to another. */
const OWN_CSRF_TOKEN = `-H "x-xsrf-token: $(awk '$6 == "XSRF-TOKEN" { print $7 }' cookies.txt)"`

/** The request as a command for a POSIX shell; with a session it is the one that a login left in cookies.txt. */
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

/** One word of a shell, whatever it holds (POSIX, Shell Command Language, 2.2.2). */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
