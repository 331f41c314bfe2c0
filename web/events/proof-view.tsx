import { quoted } from '../call.ts'
import { SIGNED } from '../gen/signed.ts'
import { Badge } from '../ui/badge.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Part } from '../ui/pane.tsx'
import { Facts, ForeignText } from '../ui/text.tsx'
import { duration, LiveTime, parseTime } from '../ui/times.tsx'
import { payloadPath } from './calls.ts'
import { LEVELS, type ProvenPart, provenParts, signingHeaders } from './proof.ts'
import type { EventDetail } from './record.ts'

/** Why the event was believed: the verdict, what was signed, and a command that repeats the check. */
export function ProofView({ event }: { readonly event: EventDetail }) {
  const { proof, source } = event
  const { tone, name, sentence } = LEVELS[proof.level]
  const [place, parts] = SIGNED[source] ?? []
  const isChecked = proof.level !== 'none'
  return (
    <>
      <p class="note" data-tone={tone}>
        <strong>{name}.</strong> {sentence}
      </p>
      <Part title="The call; what is signed has a color" region="Signed parts">
        <SignedParts event={event} />
      </Part>
      <Part title="Check" region="Check">
        <Facts
          rows={{
            'Signature in': isChecked && place,
            Signed: isChecked && parts,
            Key: proof.key !== null && <code>{proof.key}</code>,
            'Signed at': proof.signedAt !== null && <SignedAt event={event} />,
          }}
        />
      </Part>
      {isChecked && event.payloadDeletedAt === null && <Repetition event={event} />}
    </>
  )
}

const TONES: Readonly<Partial<Record<ProvenPart, string>>> = {
  Address: 'run',
  'Event id': 'violet',
  Time: 'teal',
  Body: 'ok',
}

function SignedParts({ event }: { readonly event: EventDetail }) {
  const { source, eventId, proof, payload, payloadEncoding } = event
  const proven = provenParts(event)
  const body = payloadEncoding === 'utf8' ? (payload ?? 'deleted') : `${event.payloadBytes} bytes`
  const parts: Partial<Record<ProvenPart, string | null>> = {
    Address: `/webhooks/${source}`,
    'Event id': eventId,
    Time: proof.signedAt,
    Body: body.length > 600 ? `${body.slice(0, 600)} …` : body,
  }
  return (
    <pre class="code">
      {(Object.keys(parts) as ProvenPart[]).map((part) => (
        <>
          <span class="muted">{part}: </span>
          {proven.includes(part) ? (
            <mark data-tone={TONES[part]}>
              <ForeignText text={parts[part] ?? ''} />
            </mark>
          ) : (
            <span class="muted">
              <ForeignText text={parts[part] ?? ''} /> (not signed)
            </span>
          )}
          {'\n'}
        </>
      ))}
    </pre>
  )
}

function SignedAt({ event: { proof, receivedAt } }: { readonly event: EventDetail }) {
  const signedAt = proof.signedAt ?? ''
  const age = parseTime(receivedAt).getTime() - new Date(signedAt).getTime()
  return (
    <>
      <LiveTime at={signedAt} />, {age < 0 ? `${duration(-age)} after our clock` : `${duration(age)} before receipt`}{' '}
      {proof.stale && <Badge tone="wait">Late, but its content was new</Badge>}
    </>
  )
}

function Repetition({ event }: { readonly event: EventDetail }) {
  const command = checkOf(event, location.origin)
  return (
    <Part title="Repeat the check">
      <pre class="code">{command}</pre>
      <p class="row small muted">
        <CopyButton text={command} of="the command" />
        Signatures are not stored: put that of the sender's log in the place of each “…”.
      </p>
    </Part>
  )
}

/** A command that judges the stored call as at its receipt. */
function checkOf(event: EventDetail, origin: string): string {
  const { source, headers, receivedAt } = event
  const gone = signingHeaders(source).filter((name) => headers[name] === undefined)
  const lines = [
    `POST /webhooks/${source}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...gone.map((name) => `${name}: …`),
    '',
  ]
  return `{ printf '%s\\n' ${lines.map(quoted).join(' ')}
  curl -s -b cookies.txt ${quoted(`${origin}${payloadPath(event)}`)}
} | npx gatehouse explain ${source} /dev/stdin --at ${parseTime(receivedAt).toISOString()}`
}
