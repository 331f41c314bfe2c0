import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { wordsOf } from '../../ask.ts'
import { type EventDetail, recordName } from '../record.ts'
import { fetchPayload } from './calls.ts'

/** A payload as far as it is known. */
export interface KnownPayload {
  readonly bytes: Uint8Array | undefined
  /** Undefined if the bytes are no text. */
  readonly text: string | undefined
  readonly isPart: boolean
}

/** The payload of an event: at once what the detail has of it, then the rest. */
export function useWholePayload(event: EventDetail) {
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
