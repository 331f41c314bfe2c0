import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { jsonLines } from '../../ui/json-lines.ts'
import { JsonTree } from '../../ui/json-tree.tsx'
import { HexRows, TextRows } from '../../ui/text-rows.tsx'
import { LiveTime } from '../../ui/times.tsx'
import type { EventDetail } from '../record.ts'
import { payloadPath } from './calls.ts'
import { DeletePayload } from './delete-payload.tsx'
import { meaningOf } from './hints.ts'
import { byteSize } from './size.ts'
import { type KnownPayload, useWholePayload } from './whole-payload.ts'

interface PayloadProps {
  readonly event: EventDetail
  readonly reread: () => Promise<void>
}

/** The body of a webhook; of one that was deleted, when. */
export function Payload({ event, reread }: PayloadProps) {
  if (event.payload !== null) return <Body event={event} reread={reread} />
  return (
    <p>
      The payload was deleted
      {event.payloadDeletedAt !== null && (
        <>
          {' on '}
          <LiveTime at={event.payloadDeletedAt} />
        </>
      )}
      . The event stays, so a copy of it is still recognized.
    </p>
  )
}

function Body({ event, reread }: PayloadProps) {
  const isRaw = useSignal(false)
  const { known, problem, load } = useWholePayload(event)
  const lines = useMemo(
    () => (known.text === undefined ? undefined : jsonLines(known.text, known.isPart)),
    [known.text, known.isPart],
  )
  const buttons = (
    <>
      {lines && (
        <>
          <ViewButton name="Tree" isOn={!isRaw.value} choose={() => (isRaw.value = false)} />
          <ViewButton name="Raw" isOn={isRaw.value} choose={() => (isRaw.value = true)} />
        </>
      )}
      <a class="btn" href={payloadPath(event)} download aria-label="Download the payload" title="Download the payload">
        <Icon name="save" />
      </a>
      <DeletePayload event={event} reread={reread} />
    </>
  )
  return (
    <>
      {known.isPart && (
        <p class="note small" data-tone={problem === undefined ? 'note' : 'bad'} role="status">
          {problem === undefined ? (
            'These are the first 256 KiB. The rest is loading …'
          ) : (
            <>
              {`These are the first 256 KiB. ${problem} `}
              <button type="button" class="btn" onClick={() => void load()}>
                Load the rest
              </button>
            </>
          )}
        </p>
      )}
      {lines && !isRaw.value ? (
        <JsonTree lines={lines} hint={(line) => meaningOf(lines, line, event.source)} note={noteOf(known, 'JSON')}>
          {buttons}
        </JsonTree>
      ) : (
        <RawBody known={known} isJson={lines !== undefined}>
          {buttons}
        </RawBody>
      )}
    </>
  )
}

interface ViewButtonProps {
  readonly name: string
  readonly isOn: boolean
  readonly choose: () => void
}

function ViewButton({ name, isOn, choose }: ViewButtonProps) {
  return (
    <button type="button" class="btn" aria-pressed={isOn} onClick={choose}>
      {name}
    </button>
  )
}

interface RawBodyProps {
  readonly known: KnownPayload
  readonly isJson: boolean
  readonly children: ComponentChildren
}

/** The payload as it came: a text, or bytes that are none. */
function RawBody({ known, isJson, children }: RawBodyProps) {
  const { bytes, text, isPart } = known
  const kind = isJson ? 'JSON as received' : 'not JSON, shown as text'
  return (
    <>
      <div class="row flow">
        <span class="small muted num grow">
          {noteOf(known, text === undefined ? 'not text, shown as bytes' : kind)}
        </span>
        {text !== undefined && !isPart && <CopyButton text={text} of="the payload" />}
        {children}
      </div>
      {text === undefined ? (
        <HexRows label="Payload" bytes={bytes ?? new Uint8Array()} />
      ) : (
        <TextRows label="Payload" text={text} />
      )}
    </>
  )
}

function noteOf({ bytes, text = '', isPart }: KnownPayload, kind: string): string {
  const size = isPart ? 'first 256 KiB' : byteSize(bytes?.length ?? new TextEncoder().encode(text).length)
  return `${size} · ${kind}`
}
