import type { CheckResult } from '../../lib/contract/login-steps.ts'
import type { Tone } from '../ui/badge.tsx'

/** The result of a check as the page shows it: also of one that refused, and of one that was not reached. */
export type ShownResult = CheckResult | 'REFUSED' | 'NOT_REACHED' | 'EXPLAINED'

export const RESULTS: Readonly<
  Record<ShownResult, { readonly label: string; readonly tone: Tone; readonly icon: string }>
> = {
  PASSED: { label: 'passed', tone: 'ok', icon: 'ok' },
  NOT_SENT: { label: 'not sent', tone: 'note', icon: 'dash' },
  BY_PROVIDER: { label: 'by the provider', tone: 'ok', icon: 'ok' },
  REPLACED: { label: 'replaced', tone: 'note', icon: 'dash' },
  REFUSED: { label: 'refused', tone: 'bad', icon: 'bad' },
  NOT_REACHED: { label: 'not reached', tone: 'note', icon: 'dash' },
  EXPLAINED: { label: '', tone: 'note', icon: 'shield' },
}
