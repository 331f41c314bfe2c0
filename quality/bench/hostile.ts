import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { effort } from './effort.ts'
import { type Findings, judged, type Row } from './findings.ts'
import { type Service, startService } from './gateway/service.ts'
import { npmStart } from './gateway/subjects.ts'

const ROUNDS = effort(8, 1)
const CALLS = effort(20, 1)

/** What a call may take, as a multiple of a refused call of the same length. */
const GOAL = 2

/** What a stranger can call, with a body or without. */
const WITH_BODY = [
  'POST /api/auth/login',
  'POST /login',
  'POST /login/passkey',
  'POST /login/passkey/options',
  'POST /logout',
  'POST /webhooks/payment',
  'POST /webhooks/order-status',
  'POST /webhooks/stripe',
  'POST /webhooks/github',
  'POST /webhooks/twilio',
  'POST /webhooks/no-secret',
]
const WITH_QUERY = [
  '/',
  '/login',
  '/docs',
  '/openapi.json',
  '/api/status',
  '/api/public/hello',
  '/oauth2/authorization/google',
  '/login/oauth2/code/google',
  '/webhooks/meta',
  '/console/webhooks',
]

const KIB = 1024
const marks = (bytes: number) => `a${'\u0301\u0316'.repeat((bytes - 1) / 4)}`
const letters = (bytes: number) => 'a'.repeat(bytes)
const members = (count: number) => `{${Array.from({ length: count }, (_, name) => `"n${name}":1`).join()}}`
const fields = (count: number) => Array.from({ length: count }, (_, name) => `n${name}=1`).join('&')
const nested = (bytes: number) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2)

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

/** What is sent, and what is refused with the same length. */
interface Input {
  readonly what: string
  readonly type: string
  readonly hostile: string
  readonly plain: string
}

const INPUTS: readonly Input[] = [
  ...['username', 'password'].flatMap((field) =>
    [2, 64, 256, 1024].flatMap((size) => {
      const asJson = (text: string) => JSON.stringify({ username: 'nobody', password: 'wrong', [field]: text })
      const asForm = (text: string) =>
        `${new URLSearchParams({ username: 'nobody', password: 'wrong', [field]: text })}`
      const [hostile, form] = [asJson(marks(size * KIB)), asForm(marks(size * KIB))]
      const what = `${size} KiB of marks as ${field}`
      return [
        { what: `${what}, JSON`, type: JSON_TYPE, hostile, plain: asJson(letters(size * KIB)) },
        { what: `${what}, form`, type: FORM_TYPE, hostile: form, plain: asForm(letters(form.length - 30)) },
      ]
    }),
  ),
  { what: '1 MiB of nested JSON', type: JSON_TYPE, hostile: nested(KIB ** 2), plain: letters(KIB ** 2) },
  { what: '80,000 members', type: JSON_TYPE, hostile: members(80_000), plain: letters(members(80_000).length) },
  { what: '80,000 fields', type: FORM_TYPE, hostile: fields(80_000), plain: letters(fields(80_000).length) },
  { what: '1,500 members', type: JSON_TYPE, hostile: members(1500), plain: letters(members(1500).length) },
]

type Send = () => Promise<Response>

/** What texts of strangers take that were made to be slow, beside a refused call of the same length. */
export async function hostile(): Promise<Findings> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-'))
  const command = await npmStart(join(folder, 'data'))
  const service = await startService(command)
  const { origin } = new URL(command.url)
  try {
    const rows: Row[] = []
    for (const endpoint of WITH_BODY) {
      const [method = '', path = ''] = endpoint.split(' ')
      for (const { what, type, ...bodies } of INPUTS) {
        const send = (body: string) => () =>
          fetch(origin + path, { method, headers: { 'content-type': type }, body, redirect: 'manual' })
        rows.push(await compare(service, `${endpoint}, ${what}`, send(bodies.hostile), send(bodies.plain)))
      }
    }
    for (const path of WITH_QUERY) {
      const encoded = encodeURIComponent(marks(KIB))
      const send = (text: string) => () =>
        fetch(`${origin}${path}?returnTo=${text}&state=${text}`, { redirect: 'manual' })
      rows.push(await compare(service, `GET ${path}, marks in the query`, send(encoded), send(letters(encoded.length))))
    }
    for (const part of [0, 1]) {
      const send = (text: string) => () => {
        const pair = part === 0 ? `${text}:wrong` : `nobody:${text}`
        const authorization = `Basic ${Buffer.from(pair).toString('base64')}`
        return fetch(`${origin}/api/admin/secure`, { headers: { authorization } })
      }
      const what = `Basic, 6 KiB of marks as ${part === 0 ? 'name' : 'password'}`
      rows.push(await compare(service, what, send(marks(6 * KIB)), send(letters(6 * KIB))))
    }
    return judged(rows)
  } finally {
    await service.stop()
    rmSync(folder, { recursive: true })
  }
}

/** The sums of the rounds, each there and back again: a collection of garbage falls into either side. */
async function compare(service: Service, what: string, slow: Send, plain: Send): Promise<Row> {
  const costs = new Map<Send, number>()
  // Compiles the code, and uses up the guesses that both share: after them each is 429.
  for (const send of [slow, plain]) await cpuOf(service, send)
  for (let round = 0; round < ROUNDS; round++) {
    for (const send of round % 2 === 0 ? [slow, plain] : [plain, slow]) {
      costs.set(send, (costs.get(send) ?? 0) + (await cpuOf(service, send)))
    }
  }
  return { what, unit: '×', value: (costs.get(slow) ?? 0) / Math.max(costs.get(plain) ?? 0, 1), goal: GOAL }
}

async function cpuOf(service: Service, send: Send): Promise<number> {
  const before = service.cpu()
  for (let count = 0; count < CALLS; count++) await (await send()).arrayBuffer()
  return service.cpu() - before
}
