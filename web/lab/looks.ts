import type { Tone } from '../ui/badge.tsx'
import type { CellLook } from './cell-link.tsx'
import { isAsExpected, type TryOutcome } from './lab.ts'

/** How a cell looks; without an outcome it shows what is expected. */
export function cellLookOf(outcome: TryOutcome | undefined, expected: number): CellLook {
  if (!outcome) return { text: String(expected), tone: undefined }
  if (outcome.kind === 'failed') return { text: '✗', tone: 'bad' }
  const { status } = outcome.exchange
  if (!isAsExpected(outcome)) return { text: `✗ ${status}`, tone: 'bad' }
  return { text: String(status), tone: toneOf(status) }
}

function toneOf(status: number): Tone {
  if (status < 400) return 'ok'
  return status === 401 || status === 403 ? 'wait' : 'note'
}
