import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { wordsOf } from '../ask.ts'
import { Action } from '../ui/action.tsx'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Icon } from '../ui/icon.tsx'
import { jsonLines } from '../ui/json-lines.ts'
import { JsonTree } from '../ui/json-tree.tsx'
import { HexRows, TextRows } from '../ui/text-rows.tsx'
import { LiveTime } from '../ui/times.tsx'
import { deletePayload, fetchPayload, payloadPath } from './calls.ts'
import { byteSize, meaningOf } from './hints.ts'
import { type EventDetail, recordName } from './record.ts'

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
          <Button pressed={!isRaw.value} onClick={() => (isRaw.value = false)}>
            Tree
          </Button>
          <Button pressed={isRaw.value} onClick={() => (isRaw.value = true)}>
            Raw
          </Button>
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
              <Button onClick={load}>Load the rest</Button>
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

/** A payload as far as it is known. */
export interface KnownPayload {
  readonly bytes: Uint8Array | undefined
  /** Undefined if the bytes are no text. */
  readonly text: string | undefined
  readonly isPart: boolean
}

/** The payload of an event: at once what the detail has of it, then the rest. */
function useWholePayload(event: EventDetail) {
  const whole = useSignal<KnownPayload | undefined>(undefined)
  const problem = useSignal<string | undefined>(undefined)
  const { payloadTruncated, payload } = event

  useEffect(() => {
    whole.value = undefined
    if (payloadTruncated && payload !== null) void load()
  }, [recordName(event), payloadTruncated, payload === null])

  async function load(): Promise<void> {
    problem.value = undefined
    try {
      const bytes = await fetchPayload(event)
      whole.value = { bytes, text: textIn(bytes), isPart: false }
    } catch (error) {
      problem.value = wordsOf(error)
    }
  }

  return { known: whole.value ?? shownPart(event), problem: problem.value, load }
}

function shownPart({ payload, payloadEncoding, payloadTruncated: isPart }: EventDetail): KnownPayload {
  if (payloadEncoding === 'utf8') return { bytes: undefined, text: payload ?? '', isPart }
  const bytes = Uint8Array.from(atob(payload ?? ''), (letter) => letter.charCodeAt(0))
  return { bytes, text: undefined, isPart }
}

function textIn(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Deletes the payload of an event, after it has said what that ends. */
function DeletePayload({ event, reread }: PayloadProps) {
  return (
    <Action
      label="Delete payload"
      isDangerous
      title="Delete the payload?"
      action="Delete payload"
      run={(fields) => deletePayload(event, fields.has('force'))}
      said="The payload is deleted"
      more={event.eventId}
      done={reread}
    >
      <p>
        The body and the headers are deleted for good. The event and its history stay, so a copy of it is still
        recognized as a duplicate. The event cannot be retried or delivered again.
      </p>
      <label class="row">
        <input type="checkbox" name="force" />
        Also end attempts and deliveries that still need it
      </label>
    </Action>
  )
}
