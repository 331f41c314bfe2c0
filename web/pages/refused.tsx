import type { refusalPage } from '../../lib/contract/answers/operation.ts'
import type { Response } from '../ask.ts'
import { mount } from '../mount.tsx'
import { type Look, LookBadge } from '../ui/badge.tsx'
import { listPage } from '../ui/list-page.tsx'
import { timeColumn } from '../ui/list-table.tsx'
import { Part } from '../ui/pane.tsx'
import { asForeign, Facts, Tall } from '../ui/text.tsx'
import { LiveTime, parseTime } from '../ui/times.tsx'

type Refusal = Response<typeof refusalPage>['refusals'][number]

interface Reason extends Look {
  /** What an operator does about it. */
  readonly advice: string
}

const REASONS: Readonly<Record<Refusal['reason'], Reason>> = {
  'wrong-signature': {
    label: 'Signature does not match',
    tone: 'bad',
    advice:
      'Compare the secret of the sender with the entry in WEBHOOK_SECRETS. A proxy must pass the body on byte by byte.',
  },
  'no-readable-signature': {
    label: 'No readable signature',
    tone: 'bad',
    advice: 'The signature header is missing or misspelled. Compare the headers below with the scheme of the source.',
  },
  'unknown-key': {
    label: 'Unknown key',
    tone: 'bad',
    advice: 'The sender signed with a key that it no longer publishes, or that is not its own.',
  },
  'no-secret': {
    label: 'No secret',
    tone: 'note',
    advice: 'Add an entry for this source to WEBHOOK_SECRETS, or remove the webhook at the sender.',
  },
  'unreadable-secret': {
    label: 'Unreadable secret',
    tone: 'bad',
    advice: 'The entry in WEBHOOK_SECRETS has the wrong form for this source.',
  },
  'too-old': {
    label: 'Too old',
    tone: 'wait',
    advice:
      'A queue held the call, or the clock of the sender is wrong. Let the sender send it again: the new call gets a new signature.',
  },
  'in-the-future': { label: 'In the future', tone: 'wait', advice: 'The clock of the sender is ahead of ours.' },
  'rate-limited': {
    label: 'Rate limited',
    tone: 'wait',
    advice: 'The sender will try again. WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE raises the limit.',
  },
  'too-large': {
    label: 'Too large',
    tone: 'wait',
    advice: 'WEBHOOK_MAX_BODY_BYTES raises the limit, up to what the gateway takes.',
  },
  encoded: {
    label: 'Compressed body',
    tone: 'note',
    advice: 'Turn compression off at the sender or at the proxy: a signature is over the exact bytes.',
  },
  'invalid-payload': {
    label: 'Invalid payload',
    tone: 'note',
    advice: 'The signature is right, but the body is not what this source documents.',
  },
}

mount(
  listPage<Response<typeof refusalPage>, Refusal>({
    title: 'Refused',
    caption: 'Refused calls by cause, the last one first',
    path: '/api/webhooks/refusals',
    rowsOf: ({ refusals }) => refusals,
    keyOf: ({ id }) => id,
    filters: [
      { name: 'q', label: 'Source, cause or address' },
      { name: 'reason', label: 'Cause', options: REASONS },
    ],
    columns: [
      {
        head: 'Cause and verdict',
        class: 'fill',
        cell: ({ reason, verdict }) => <Tall first={<LookBadge look={REASONS[reason]} />} second={verdict.sentence} />,
      },
      { head: 'Source', class: 'c2', cell: ({ source }) => source },
      { head: 'From', class: 'c3', cell: ({ address }) => <code class="muted">{address}</code> },
      { head: 'Calls', class: 'end num', cell: callsOf },
      timeColumn('Last', 'end', ({ lastAt }) => lastAt),
    ],
    isTall: true,
    empty: 'No webhook was refused in the last seven days, as far as these filters go.',
    foot: 'Bodies and signatures of refused calls are never kept. A row stays for seven days.',
    pane: (refusal) => {
      const { label, tone } = REASONS[refusal.reason]
      return {
        title: label,
        look: { label: `${callsOf(refusal)} ${refusal.count === 1 ? 'call' : 'calls'}`, tone },
        note: `${refusal.source} · ${refusal.address}`,
        children: <Details {...refusal} />,
      }
    },
  }),
)

/** With the sign for “at least” where the number is a lower bound. */
function callsOf({ count, atLeast }: Refusal): string {
  return `${atLeast ? '≥ ' : ''}${count}`
}

function Details({ reason, source, verdict, firstAt, lastAt, address, size, headers }: Refusal) {
  const { tone, advice } = REASONS[reason]
  const shown = Object.entries(headers).map(([name, value]) => {
    const text = value === null ? <span class="muted">not kept</span> : <code>{value}</code>
    return [name, text] as const
  })
  return (
    <>
      <div class="note" data-tone={tone}>
        <p>
          <strong>{asForeign(verdict.sentence)}</strong>
        </p>
        <p class="small">{advice}</p>
      </div>
      <Part title="Calls">
        <Facts
          rows={{
            First: <LiveTime at={firstAt} />,
            Last: <LiveTime at={lastAt} />,
            Address: <code>{address}</code>,
            Body: `${size} bytes, not kept`,
          }}
        />
      </Part>
      <Part title="Headers of the last call">
        <Facts rows={shown} />
      </Part>
      <Part title="Judge a recording">
        <pre class="code">{`npx gatehouse explain ${source} call.http --at ${parseTime(lastAt).toISOString()}`}</pre>
      </Part>
    </>
  )
}
