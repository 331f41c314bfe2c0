import type { Sample } from '../lib/webhooks/sample.ts'
import { type Catalog, KNOWN } from '../lib/webhooks/sources/catalog.ts'
import { addressOption, readOptions, UsageError, wholeOption } from './command.ts'
import { nearestName } from './nearest.mjs'
import { SENDERS, senderOf } from './senders/table.ts'
import { type BodyValue, readSetting } from './senders/values.ts'

export const SEND_USAGE = `npm run send -- <provider> [<event>] [options]

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
  list: { type: 'boolean', default: false },
  set: { type: 'string', multiple: true, default: [] as string[] },
  number: { type: 'string', short: 'n', default: '1' },
  duplicate: { type: 'boolean', default: false },
  resend: { type: 'string' },
  fail: { type: 'boolean', default: false },
  'bad-signature': { type: 'boolean', default: false },
  old: { type: 'string', default: '0' },
  url: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const

/** What to send, and how. */
export interface SendOrder {
  /** As in the path. */
  readonly name: string
  readonly sender: Sample
  readonly sources: Catalog
  readonly event: string
  readonly settings: readonly BodyValue[]
  readonly count: number
  readonly copies: number
  /** The id of an event to send again, instead of new ones. */
  readonly resend: string | undefined
  /**
   * Where the body names a transaction, which here belongs to another order; undefined for events that should succeed.
   */
  readonly failsAt: readonly string[] | undefined
  readonly isForged: boolean
  /** In seconds. */
  readonly age: number
  /** Undefined means the local run. */
  readonly url: URL | undefined
  readonly json: boolean
}

/** To print the providers. */
export interface ListOrder {
  readonly list: true
  readonly json: boolean
}

/** Parses the arguments. @throws UsageError when they make no order */
export function readSendOrder(args: readonly string[], sources: Catalog = KNOWN): SendOrder | ListOrder {
  const { values, positionals } = readOptions({ args: [...args], options: OPTIONS, allowPositionals: true })
  const { json } = values
  if (values.list) return { list: true, json }
  const [given = '', wanted, ...more] = positionals
  const name = given.toLowerCase()
  const sender = senderOf(name, sources)
  if (!sender) throw unknownProvider(name, [...Object.keys(SENDERS), ...sources.configured.keys()])
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
    json,
  }
}

function unknownProvider(name: string, known: readonly string[]): UsageError {
  if (name === '') return new UsageError(`Name a provider: ${known.toSorted().join(', ')}`)
  const meant = nearestName(name, known)
  return new UsageError(
    `There is no provider ${name}: ${meant === undefined ? '--list prints all of them' : `did you mean ${meant}?`}`,
  )
}

function contradicted({ transaction }: Sample, event: string): readonly string[] {
  if (transaction?.events.includes(event)) return transaction.path.split('.')
  const able = Object.entries(SENDERS).flatMap(([name, sender]) =>
    (sender.transaction?.events ?? []).map((effective) => `${name} ${effective}`),
  )
  throw new UsageError(`--fail needs an event about a payment: ${able.join(', ')}`)
}
