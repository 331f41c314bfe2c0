import { Buffer } from 'node:buffer'
import { stderr } from 'node:process'
import * as z from 'zod/mini'
import { addressOption, FLAG, printerFor, readOptions, runCommand, shownText, TEXT, UsageError } from '../command.ts'
import { type ApiClient, serviceApi } from '../operator/api-client.ts'

const USAGE = `npx gatehouse forget --text TEXT [options]

Finds the webhook events whose payload or headers contain a text, such as the address of a person, and deletes these payloads.
Without --delete it only lists the events: source, id, time and type, never a payload. The search ignores case. It also finds
the text in the escapes of JSON, forms, HTML and base64, but not in compressed or encrypted data.

Options:
  --source NAME     only events from this source
  --from TIME       received at that time or later, YYYY-MM-DDTHH:mm:ss in UTC
  --to TIME         received at that time or earlier
  --delete          delete the payloads; the events stay
  --force           with --delete: end runs and deliveries that still need the payload
  --json            a line of JSON for each event, then one with the counts
  --url ADDRESS     of the service (the local run)
  --user NAME       an admin (the demo user of the local run); the password is in GATEHOUSE_PASSWORD,
                    or a token in GATEHOUSE_TOKEN
`

const OPTIONS = {
  text: TEXT,
  source: TEXT,
  from: TEXT,
  to: TEXT,
  delete: FLAG,
  force: FLAG,
  json: FLAG,
  url: TEXT,
  user: TEXT,
} as const

/** Shorter texts are found nearly everywhere. */
const SHORTEST = 3

/** Parses the arguments. @throws UsageError when they make no command */
export function readForgetCommand(args: readonly string[]) {
  const { values } = readOptions({ args: [...args], options: OPTIONS })
  const { text = '', source, from, to, url, user, json } = values
  if (text.trim().length < SHORTEST) throw new UsageError(`Name a --text of at least ${SHORTEST} characters`)
  if (values.force && !values.delete) throw new UsageError('--force needs --delete')
  const given = Object.entries({ source, from, to }).filter(([, value]) => value !== undefined)
  return {
    text: text.trim(),
    filter: Object.fromEntries(given) as Readonly<Record<string, string>>,
    mode: values.force ? 'force' : values.delete ? 'delete' : 'list',
    /** Undefined means the local run. */
    url: url === undefined ? undefined : addressOption(url),
    user,
    json,
  }
}

/** How many events are looked into at once. */
const AT_ONCE = 8

/** @returns the exit code: 0 if nothing is left to do, 3 when payloads could not be deleted */
async function forget({ text, filter, mode, url, user, json }: ReturnType<typeof readForgetCommand>): Promise<number> {
  const print = printerFor(json)
  const api = serviceApi(url, user)
  const holds = searchFor(text)
  const found: ListedEvent[] = []
  let seen = 0
  let named = 0

  async function look(event: ListedEvent): Promise<void> {
    if ([event.eventId, event.eventType].some((name) => holds(Buffer.from(name)))) named += 1
    if ((await textsOf(event, api)).some(holds)) found.push(event)
  }

  for await (const page of listed(filter, api)) {
    for (let start = 0; start < page.length; start += AT_ONCE) {
      await Promise.all(page.slice(start, start + AT_ONCE).map(look))
    }
    seen += page.length
    stderr.write(`${seen} events looked at, ${found.length} with the text\n`)
  }
  for (const { source, eventId, receivedAt, eventType } of found) {
    const parts = [source, eventId, receivedAt, eventType]
    print({ source, eventId, receivedAt, eventType }, `${parts.map(shownText).join('  ')}\n`)
  }
  print(undefined, countsText(found.length, named))
  const left = mode === 'list' ? found.length : await remove(found, api, mode === 'force')
  const deleted = found.length - left
  const done = mode === 'list' ? '' : `${deleted} payloads deleted, ${left} not\n`
  print({ found: found.length, named, deleted, left }, done)
  return mode === 'list' || left === 0 ? 0 : 3
}

function countsText(found: number, named: number): string {
  const held = `${found} events hold the text in payload or headers\n`
  if (named === 0) return held
  return `${held}${named} events have the text in their id or type: an id stays, or a copy would be new\n`
}

/** @returns how many payloads could not be deleted */
async function remove(found: readonly ListedEvent[], api: ApiClient, isForced: boolean): Promise<number> {
  let left = 0
  for (const event of found) {
    const reason = await api.remove(`${pathOf(event)}/payload${isForced ? '?force=true' : ''}`, [404, 409])
    if (reason === undefined) continue
    left += 1
    stderr.write(`${shownText(event.source)}  ${shownText(event.eventId)}  not deleted: ${reason}\n`)
  }
  return left
}

const event = z.object({ source: z.string(), eventId: z.string(), eventType: z.string(), receivedAt: z.string() })
const page = z.object({ events: z.array(event), nextCursor: z.nullable(z.string()) })
const detail = z.object({
  payload: z.nullable(z.string()),
  payloadEncoding: z.enum(['utf8', 'base64']),
  payloadTruncated: z.boolean(),
  headers: z.record(z.string(), z.string()),
})

/** An event as the list names it. */
type ListedEvent = z.output<typeof event>

const PATH = '/api/webhooks/events'
const PAGE = 200

function pathOf({ source, eventId }: ListedEvent): string {
  return `${PATH}/${source}/${encodeURIComponent(eventId)}`
}

/** Pages of the events that a filter matches, newest first. */
async function* listed(filter: Readonly<Record<string, string>>, api: ApiClient) {
  let cursor: string | null = ''
  do {
    const query = new URLSearchParams({ ...filter, limit: String(PAGE), ...(cursor && { cursor }) })
    const { events, nextCursor }: z.output<typeof page> = await api.get(`${PATH}?${query}`, page)
    yield events
    cursor = nextCursor
  } while (cursor !== null)
}

/** The payload and the values of the headers; empty for an event that has lost them, or was deleted. */
async function textsOf(given: ListedEvent, api: ApiClient): Promise<readonly Buffer[]> {
  const { payload, payloadEncoding, payloadTruncated, headers } = await api.get(pathOf(given), detail)
  if (payload === null) return []
  const bytes = payloadTruncated ? await api.bytes(`${pathOf(given)}/payload`) : Buffer.from(payload, payloadEncoding)
  return [bytes, ...Object.values(headers).map((value) => Buffer.from(value))]
}

/** How often one way of writing may be in another: JSON in a field of a form, base64 in JSON. */
const DEPTH = 3

/**
 * Finds a text in any case and in any form that a sender writes: escapes of JSON, percent signs and + of forms, character
 * references of HTML and XML, base64, UTF-16 and Latin-1; each in another up to three deep. What is compressed or
 * encrypted is not looked into.
 */
export function searchFor(text: string): (bytes: Buffer) => boolean {
  const wanted = folded(text)
  return (bytes) => {
    let readings = new Set(readingsOf(bytes))
    for (let depth = 0; depth <= DEPTH; depth++) {
      if ([...readings].some((reading) => folded(reading).includes(wanted))) return true
      readings = new Set([...readings].flatMap(otherReadings))
    }
    return false
  }
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

function readingsOf(bytes: Buffer): readonly string[] {
  const readings = [bytes.toString('utf8')]
  if (bytes.some((byte) => byte > 0x7f)) readings.push(bytes.toString('latin1'))
  if (!bytes.includes(0)) return readings
  return [...readings, bytes.toString('utf16le'), evenSwapped(bytes).toString('utf16le')]
}

/** UTF-16 with the higher byte first. */
function evenSwapped(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2))).swap16()
}

/** What a text says once one way of escaping is undone; only those that it uses. */
function otherReadings(text: string): readonly string[] {
  const undone = [withoutJson(text), withoutForm(text), withoutReferences(text), ...base64In(text)]
  return undone.filter((other) => other !== text)
}

const JSON_ESCAPES = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
])

/** RFC 8259 section 7, also of what is no JSON as a whole. */
function withoutJson(text: string): string {
  return text.replace(/\\(?:u([0-9a-f]{4})|(.))/gi, (_, digits: string | undefined, plain: string) =>
    digits === undefined ? (JSON_ESCAPES.get(plain) ?? plain) : String.fromCharCode(Number.parseInt(digits, 16)),
  )
}

/** The URL Standard, application/x-www-form-urlencoded; bytes that are no UTF-8 stay as marks. */
function withoutForm(text: string): string {
  return text
    .replaceAll('+', ' ')
    .replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'))
}

const NAMED = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['commat', '@'],
  ['period', '.'],
])

/** Character references of XML, and of HTML those that an address needs. */
function withoutReferences(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,8}));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return NAMED.get(String(name).toLowerCase()) ?? whole
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
  })
}

/** Base64 or base64url within a text, with its lines joined; a match may begin with letters of the text before. */
function base64In(text: string): readonly string[] {
  const runs = text.match(/[\w+/-]{4,}(?:\r?\n[\w+/-]+)*/g) ?? []
  if (runs.length === 0) return []
  return [0, 1, 2, 3].map((offset) =>
    runs.map((run) => Buffer.from(run.replace(/\s/g, '').slice(offset), 'base64').toString('utf8')).join('\n'),
  )
}

if (import.meta.main) await runCommand({ name: 'forget', usage: USAGE, run: (args) => forget(readForgetCommand(args)) })
