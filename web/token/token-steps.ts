import { TOKEN_STATUSES } from '../../lib/contract/token-status.ts'
import type { CheckStep } from '../ui/steps.tsx'
import type { TokenCheckResult } from './judge.ts'
import { TOKEN_CHECKS } from './places.ts'

/** The checks as steps, in the order of the service. */
export function tokenSteps(results: readonly TokenCheckResult[]): readonly CheckStep[] {
  return TOKEN_STATUSES.map((status, index) => {
    const { title, about, file, name } = TOKEN_CHECKS[status]
    const result = results[index] ?? 'unreached'
    return { title, about, result, ...(result === 'refused' && { code: status, place: `${file}, ${name}` }) }
  })
}
