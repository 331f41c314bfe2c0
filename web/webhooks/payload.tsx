import { useSignal } from '@preact/signals'
import { CopyButton } from '../components/copy-button.tsx'
import { prettyJson } from './pretty-json.ts'
import { type EventDetail, pathOf } from './record.ts'

/** The body of a webhook; of one that was deleted, when. */
export function Payload({ event }: { readonly event: EventDetail }) {
  const { payload, payloadDeletedAt } = event
  if (payload !== null) return <Body event={event} payload={payload} />
  return (
    <>
      <h3>Payload</h3>
      <p class="muted">{`The payload was deleted on ${payloadDeletedAt?.slice(0, 10)}.`}</p>
    </>
  )
}

/** A body, as received or formatted. */
function Body({ event, payload }: { readonly event: EventDetail; readonly payload: string }) {
  const { payloadEncoding, payloadTruncated } = event
  const isRaw = useSignal(false)
  const pretty = payloadEncoding === 'utf8' ? prettyJson(payload) : undefined
  const shown = isRaw.value || pretty === undefined ? payload : pretty
  return (
    <>
      <div class="title">
        <h3>Payload</h3>
        <span class="actions">
          {pretty !== undefined && (
            <button
              type="button"
              class="quiet small"
              aria-pressed={isRaw.value}
              onClick={() => (isRaw.value = !isRaw.value)}
            >
              Raw
            </button>
          )}
          {!payloadTruncated && <CopyButton text={shown} of="the payload" />}
          <a class="button quiet small" href={`${pathOf(event)}/payload`} download>
            Download<span class="visually-hidden"> the payload</span>
          </a>
        </span>
      </div>
      {payloadTruncated && <p class="muted">These are the first 256 KiB; the download has all of it.</p>}
      {payloadEncoding === 'base64' && <p class="muted">It is no text; this is its base64.</p>}
      <pre class="wrapped">{shown}</pre>
    </>
  )
}
