import { Badge } from '../ui/badge.tsx'
import { Part } from '../ui/pane.tsx'
import { Steps, StepView } from '../ui/steps.tsx'
import { Facts } from '../ui/text.tsx'
import { duration, LiveTime, parseTime } from '../ui/times.tsx'
import { EventLink } from './navigation.tsx'
import { LEVELS, PARTS, provenParts } from './proof.ts'
import type { EventDetail } from './record.ts'
import { SIGNED } from './signed.ts'

/** Why the event was believed: what is proven, what was signed, and each check. */
export function Why({ event }: { readonly event: EventDetail }) {
  const { proof, source } = event
  const { tone, name, sentence } = LEVELS[proof.level]
  const proven = provenParts(event)
  const [place, parts] = SIGNED[source] ?? []
  return (
    <>
      <div class="note stack tight" data-tone={tone}>
        <p>
          <strong>{name}.</strong>
        </p>
        <p class="small">{sentence}</p>
      </div>
      <Part title="Proof level" region="Proof level">
        <ol class="meter">
          {PARTS.map((part) => (
            <li key={part} class={proven.includes(part) ? 'on' : undefined}>
              {part}
              <span class="hide">{proven.includes(part) ? ': proven' : ': not proven'}</span>
            </li>
          ))}
        </ol>
        <p class="small muted">
          {proven.length} of {PARTS.length} are proven.
        </p>
      </Part>
      {proof.level !== 'none' && (
        <Part title="What was signed" region="What was signed">
          <Facts
            rows={{
              'Signature in': place,
              Signed: parts,
              Key: proof.key !== null && <code>{proof.key}</code>,
              'Signed at': proof.signedAt !== null && <LiveTime at={proof.signedAt} />,
            }}
          />
        </Part>
      )}
      <Part title="Checks, in the order they ran" region="Checks">
        <Steps>
          <Checks event={event} />
        </Steps>
      </Part>
    </>
  )
}

function Checks({ event }: { readonly event: EventDetail }) {
  const { proof, source } = event
  return (
    <>
      <StepView tone="ok" title="Rate" about="within the limit of its address" />
      {proof.level === 'none' ? (
        <StepView tone="wait" title="Signature" about="not checked: no secret is set, or none is required" />
      ) : (
        <>
          <StepView tone="ok" title="Signature read" about={SIGNED[source]?.[0]} />
          <StepView tone="ok" title="Key" about="valid at the time of receipt" time={proof.key} />
          <StepView
            tone="ok"
            title={proof.level === 'token' ? 'Secret' : 'Signature'}
            about="equal, compared in constant time"
          />
          <Age event={event} />
        </>
      )}
      <Novelty event={event} />
    </>
  )
}

function Age({ event: { proof, receivedAt } }: { readonly event: EventDetail }) {
  if (proof.signedAt === null)
    return <StepView tone="note" icon="dash" title="Age" about="not checked: no time is signed" />
  const age = parseTime(receivedAt).getTime() - new Date(proof.signedAt).getTime()
  const about = age < 0 ? `signed ${duration(-age)} after our clock` : `${duration(age)} old at receipt`
  if (!proof.stale) return <StepView tone="ok" title="Age" about={about} />
  return (
    <StepView tone="wait" title="Age" about={about} time={<Badge tone="wait">Came late</Badge>}>
      It was older than a signed call may be. Its content was new, and its sender may retry for so long.
    </StepView>
  )
}

function Novelty({ event: { source, possibleDuplicateOf, idConflict } }: { readonly event: EventDetail }) {
  return (
    <StepView
      tone={possibleDuplicateOf === null && idConflict === null ? 'ok' : 'wait'}
      title="New"
      about={`no event of ${source} was the same`}
    >
      {possibleDuplicateOf !== null && (
        <span>
          It may be a duplicate of <EventLink event={{ source, eventId: possibleDuplicateOf }} />.
        </span>
      )}
      {idConflict !== null && <span>Later calls had the same id and another content. They were not stored.</span>}
    </StepView>
  )
}
