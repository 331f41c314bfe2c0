import { expect, it } from 'vitest'
import { type Call, curlOf } from '../../../web/call.ts'

const ORIGIN = 'http://127.0.0.1:3000'
const GET: Call = { method: 'GET', path: '/api/auth/info', headers: {}, withSession: false }

it.each<[what: string, call: Call, command: string]>([
  ['a call without headers and body', GET, "curl -i 'http://127.0.0.1:3000/api/auth/info'"],
  [
    'a method, headers and a body',
    { ...GET, method: 'POST', headers: { accept: 'a/b', authorization: 'Bearer x' }, body: '{"a":1}' },
    `curl -i -X POST 'http://127.0.0.1:3000/api/auth/info' \\
  -H 'accept: a/b' \\
  -H 'authorization: Bearer x' \\
  --data-raw '{"a":1}'`,
  ],
  [
    'characters with a meaning in a shell',
    { ...GET, path: "/a'$(b)", body: 'it\'s `$HOME` \\ "x"\n!' },
    `curl -i 'http://127.0.0.1:3000/a'\\''$(b)' \\
  --data-raw 'it'\\''s \`$HOME\` \\ "x"
!'`,
  ],
  [
    'a session, whose token is in the cookies',
    { ...GET, method: 'DELETE', headers: { 'x-xsrf-token': 'of the page' }, withSession: true },
    `curl -i -X DELETE 'http://127.0.0.1:3000/api/auth/info' \\
  -H "x-xsrf-token: $(awk '$6 ~ /XSRF-TOKEN$/ { print $7 }' cookies.txt)" \\
  -b cookies.txt`,
  ],
])('C10 writes %s as a command', (_, call, command) => {
  expect(curlOf(call, ORIGIN)).toBe(command)
})
