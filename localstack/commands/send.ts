import { env, stderr } from 'node:process'
import { styleText } from 'node:util'
import { configuredSources } from '../../infra/team-config.ts'
import { fail } from '../../lib/errors.ts'
import { loadConfig } from '../../lib/runtime/config.ts'
import { webhookSettings } from '../../lib/runtime/settings/webhooks.ts'
import type { Sample, SampleMessage } from '../../lib/webhooks/sample.ts'
import type { SignedCall } from '../../lib/webhooks/schemes/scheme.ts'
import type { EventSource } from '../../lib/webhooks/source.ts'
import { type Catalog, KNOWN } from '../../lib/webhooks/sources/catalog.ts'
import { verify } from '../../lib/webhooks/verify.ts'
import { addressOption, FLAG, printerFor, readOptions, runCommand, TEXT, UsageError, wholeOption } from '../command.ts'
import { type LocalRun, localRun } from '../local-run.ts'
import { askAt } from '../operator/api-client.ts'
import { type MessageOrder, plannedMessages } from '../senders/message.ts'
import { eventIdOf, prove } from '../senders/prove.ts'
import { credentialsOf, type SenderCredentials } from '../senders/signers.ts'
import { knownSender, readSetting, SENDERS, senderOf } from '../senders/table.ts'

const USAGE = `npx gatehouse send <provider> [<event>] [options]

Sends webhooks as a provider does, signed with the secrets of WEBHOOK_SECRETS or else of the local run. It prints the id, the
status and the milliseconds of each. It exits with 1 if an answer differs from the expected one.

  --list            print every provider and its events; other events can be sent, too
  --set PATH=VALUE  change a value in the body, as data.object.amount=500; can be repeated
  -n N              send N events (1)
  --duplicate       send each event twice
  --resend ID       send a received event once more, with a new signature; the demo admin or GATEHOUSE_TOKEN reads it
  --fail            send events whose processing fails and is retried: about the payment of another order
  --bad-signature   with an invalid signature
  --old N           with a signature from N seconds ago
  --url ADDRESS     of the service (the local run)
  --json            a line of JSON for each answer, or for each provider of --list
`

const OPTIONS = {
  list: FLAG,
  set: { type: 'string', multiple: true, default: [] as string[] },
  number: { type: 'string', short: 'n', default: '1' },
  duplicate: FLAG,
  resend: TEXT,
  fail: FLAG,
  'bad-signature': FLAG,
  old: { type: 'string', default: '0' },
  url: TEXT,
  json: FLAG,
} as const

/** What to send, and how. */
interface SendOrder extends MessageOrder {
  readonly sources: Catalog
  readonly copies: number
  readonly isForged: boolean
  readonly json: boolean
}

/** Parses the arguments. @throws UsageError when they make no order */
export function readSendOrder(
  args: readonly string[],
  sources: Catalog = KNOWN,
): SendOrder | { list: true; json: boolean } {
  const { values, positionals } = readOptions({ args: [...args], options: OPTIONS, allowPositionals: true })
  if (values.list) return { list: true, json: values.json }
  const [given = '', wanted, ...more] = positionals
  const name = given.toLowerCase()
  const sender = knownSender(name, sources)
  if (more.length > 0) throw new UsageError('Name one event')
  if (values.resend !== undefined && (wanted !== undefined || values.fail || values.number !== '1'))
    throw new UsageError('--resend takes the event as it was: no name, number or --fail beside it')
  const [event] = wanted === undefined ? sender.events : [wanted]
  return {
    name,
    sender,
    sources,
    event,
    settings: values.set.map(readSetting),
    count: wholeOption('-n', values.number, [1, 100_000]),
    copies: values.duplicate ? 2 : 1,
    resend: values.resend,
    failsAt: values.fail ? contradicted(sender, event) : undefined,
    isForged: values['bad-signature'],
    age: wholeOption('--old', values.old, [0, 31_536_000]),
    url: values.url === undefined ? undefined : addressOption(values.url),
    json: values.json,
  }
}

function contradicted({ transaction }: Sample, event: string): readonly string[] {
  if (transaction?.events.includes(event)) return transaction.path.split('.')
  const able = Object.entries(SENDERS).flatMap(([name, sender]) =>
    (sender.transaction?.events ?? []).map((effective) => `${name} ${effective}`),
  )
  throw new UsageError(`--fail needs an event about a payment: ${able.join(', ')}`)
}

function list(sources: Catalog, json: boolean): number {
  const print = printerFor(json)
  const configured = [...sources.configured.keys()].map((name) => [name, senderOf(name, sources)] as const)
  const senders = new Map<string, Sample | undefined>([...Object.entries(SENDERS), ...configured])
  const byName = [...senders].sort(([one], [other]) => (one < other ? -1 : 1))
  for (const [provider, sender] of byName) {
    const events = sender?.events ?? []
    print({ provider, events }, `${provider.padEnd(18)} ${events.join(', ')}\n`)
  }
  return 0
}

/** @returns the exit code: 0 when every answer was as expected */
async function send(order: SendOrder): Promise<number> {
  const run = localRun(env)
  const post = poster(order, run)
  const answers: PostResult[] = []
  const print = printerFor(order.json)
  noteUnknown(order)
  for await (const { message, status } of plannedMessages(order)) {
    for (let copy = 0; copy < order.copies; copy++) {
      const answer = await post(message, copy === 0 ? status : 200)
      print(answer, lineOf(answer))
      answers.push(answer)
    }
  }
  const unexpected = answers.filter(({ status, expected }) => status !== expected)
  print(undefined, `${summaryOf(answers, unexpected)}\n`)
  return unexpected.length === 0 ? 0 : 1
}

/** Any event can be sent; only those of the samples have a body of their own. */
function noteUnknown({ event, sender: { events } }: SendOrder): void {
  if (!events.includes(event)) stderr.write(`${event} is no event of the samples: its body is that of ${events[0]}\n`)
}

function lineOf({ eventId, status, expected, milliseconds, text }: PostResult): string {
  const shown = styleText(status === expected ? 'green' : 'red', String(status))
  return `${eventId}  ${shown}  ${milliseconds} ms  ${text}\n`
}

function summaryOf(answers: readonly PostResult[], unexpected: readonly PostResult[]): string {
  const times = answers.map(({ milliseconds }) => milliseconds)
  const total = times.reduce((sum, time) => sum + time, 0)
  const speed = `${Math.round(total / times.length)} ms on average, at most ${Math.max(...times)} ms`
  const summary = `${answers.length} sent, ${answers.length - unexpected.length} answered as expected, ${speed}`
  const [first] = unexpected
  if (!first) return summary
  const remedy = first.status === 429 ? ': WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE=0 lets all through' : ''
  return `${summary}; ${first.status} came for ${first.expected}${remedy}`
}

/** The result of one call. */
interface PostResult {
  readonly eventId: string
  readonly status: number
  readonly expected: number
  readonly milliseconds: number
  readonly text: string
}

/**
 * Sends messages of an order, each signed when it is sent.
 * @returns a function that sends one; `status` is the expected status if its proof holds
 * @throws StartError without the provider's secret, later when nothing answers
 */
function poster({ name, sender, sources, isForged, age, url }: SendOrder, run: LocalRun) {
  const address = new URL(`/webhooks/${name}`, url ?? run.address)
  const ask = askAt(address)
  const credentials = credentialsOf(name, run)
  const expectedOf = verdicts(sources.sourceOf(name), credentials)

  return async (message: SampleMessage, status: number): Promise<PostResult> => {
    const signedAt = new Date(Date.now() - age * 1000)
    const call = prove(message, { name, sender, sources, credentials, url: address.href, signedAt, isForged })
    const expected = expectedOf(call, status)
    const start = performance.now()
    const { pathname, search } = new URL(call.url)
    const response = await ask(`${pathname}${search}`, {
      method: call.method,
      headers: call.headers,
      body: new Uint8Array(call.body),
    })
    const text = await response.text()
    const milliseconds = Math.round(performance.now() - start)
    return { eventId: eventIdOf(name, call, sources), status: response.status, expected, milliseconds, text }
  }
}

/** The expected answers of the service: it checks the proof before the event. */
function verdicts({ scheme, lateSeconds }: EventSource, { secret }: SenderCredentials) {
  const { WEBHOOK_TOLERANCE_SECONDS: toleranceSeconds } = loadConfig({
    WEBHOOK_TOLERANCE_SECONDS: webhookSettings.WEBHOOK_TOLERANCE_SECONDS,
  })
  return (call: SignedCall, status: number): number => {
    const asked = { scheme, secrets: [{ value: secret }], now: new Date(), toleranceSeconds, lateSeconds }
    const verdict = verify(call, asked)
    return verdict.ok ? status : fail(scheme.refusals[verdict.refusal]).status
  }
}

if (import.meta.main)
  await runCommand({
    name: 'send',
    usage: USAGE,
    async run(args) {
      const sources = await configuredSources()
      const order = readSendOrder(args, sources)
      return 'list' in order ? list(sources, order.json) : send(order)
    },
  })
