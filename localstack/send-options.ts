import type { Sample } from '../lib/webhooks/sample.ts'
import { type Catalog, KNOWN } from '../lib/webhooks/sources/catalog.ts'
import { addressOption, readOptions, UsageError, wholeOption } from './command.ts'
import { SENDERS, senderOf } from './senders/table.ts'
import { type BodyValue, readSetting } from './senders/values.ts'

export const SEND_USAGE = `npm run send -- <provider> [<event>] [options]

Sends webhooks as a provider does, signed with the secrets of WEBHOOK_SECRETS, else of the local run, and prints the id,
the status and the milliseconds of each. Exit 1 when an answer is another than the options lead to expect.

  --list            print every provider and its events; any other event is sent, too
  --set PATH=VALUE  put something else into the body, as data.object.amount=500; may come several times
  -n N              send N events (1)
  --duplicate       send each event twice
  --resend ID       send an event that was received once more, freshly signed; it is asked for as the demo admin, or with
                    GATEHOUSE_TOKEN
  --fail            send events whose processing fails, so that they are retried: about the payment of another order
  --bad-signature   with a signature that does not hold
  --old N           signed N seconds ago
  --url ADDRESS     to that service (the local run)
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
}

/** Parses the arguments. @throws UsageError when they make no order */
export function readSendOrder(args: readonly string[], sources: Catalog = KNOWN): SendOrder | 'list' {
  const { values, positionals } = readOptions({ args: [...args], options: OPTIONS, allowPositionals: true })
  if (values.list) return 'list'
  const [given = '', wanted, ...more] = positionals
  const name = given.toLowerCase()
  const sender = senderOf(name, sources)
  if (!sender)
    throw new UsageError(
      `Name a provider: ${[...Object.keys(SENDERS), ...sources.configured.keys()].sort().join(', ')}`,
    )
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
    count: wholeOption('number', values.number, [1, 100_000]),
    copies: values.duplicate ? 2 : 1,
    resend: values.resend,
    failsAt: values.fail ? contradicted(sender, event) : undefined,
    isForged: values['bad-signature'],
    age: wholeOption('old', values.old, [0, 31_536_000]),
    url: values.url === undefined ? undefined : addressOption(values.url),
  }
}

function contradicted({ transaction }: Sample, event: string): readonly string[] {
  if (transaction?.events.includes(event)) return transaction.path.split('.')
  const able = Object.entries(SENDERS).flatMap(([name, sender]) =>
    (sender.transaction?.events ?? []).map((effective) => `${name} ${effective}`),
  )
  throw new UsageError(`--fail wants an event about a payment: ${able.join(', ')}`)
}
