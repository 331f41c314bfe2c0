import type { Call } from './call.ts'

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
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
