import type { ConsoleFacts } from '../../lib/contract/console.ts'
import { TOKEN_STATUSES, type TokenStatus } from '../../lib/contract/tokens.ts'
import { type Call, type Exchange, JSON_HEADERS } from '../call.ts'
import { membersIn, parseJson } from '../json.ts'
import { TOKEN_ATTACKS, type TokenMaterial } from '../token/attacks.ts'
import { changingCall, readingCall } from '../token/calls.ts'
import { resultsOf, tokenSteps } from '../token/judge.ts'
import type { CheckStep } from '../ui/steps.tsx'

/** A refusal as documented. */
export interface Refusal {
  readonly status: number
  readonly message: string
  readonly tokenStatus?: TokenStatus
}

/** A token to start from, or the session of the page. */
export type Material = TokenMaterial | 'session'

/** A call that has to be refused. */
export interface Attack {
  readonly label: string
  /** What is wrong with the call. */
  readonly what: string
  readonly from: Material
  /** @param material a token, or nothing for a session */
  readonly call: (material: string) => Call
  readonly refusal: Refusal
}

const TEXTS: Readonly<Partial<Record<TokenStatus, string>>> = { EXPIRED: 'JWT token has expired' }

export const ATTACKS: readonly Attack[] = [
  ...TOKEN_ATTACKS.map(({ label, what, from, spoil, tokenStatus }) => ({
    label,
    what,
    from,
    call: (token: string) => (tokenStatus === 'REVOKED' ? changingCall : readingCall)(spoil(token)),
    refusal: { status: 401, message: TEXTS[tokenStatus] ?? 'Invalid or expired JWT token', tokenStatus },
  })),
  {
    label: 'No CSRF token',
    what: 'A session deletes a user, but nothing shows that the call comes from this page.',
    from: 'session',
    call: () => ({ method: 'DELETE', path: '/api/users/playground', headers: JSON_HEADERS, withSession: true }),
    refusal: { status: 403, message: 'Invalid CSRF token' },
  },
]

/** The name of an attack in the address of the page. */
export function slugOf({ label }: Attack): string {
  return label.toLowerCase().replaceAll(' ', '-')
}

/** The refusal that the profile has to answer with: where tokens are not accepted, a bad one counts as none. */
export function dueRefusal({ from, refusal }: Attack, { accepts }: Pick<ConsoleFacts, 'accepts'>): Refusal {
  return from === 'session' || accepts.bearer ? refusal : { status: 401, message: 'Authentication required' }
}

/** Each check up to the one that refuses. */
export function attackSteps({ status, tokenStatus }: Refusal): readonly CheckStep[] {
  if (tokenStatus !== undefined) {
    const answer = TOKEN_STATUSES.find((known) => known === tokenStatus)
    return tokenSteps(resultsOf(undefined, answer))
  }
  const title = status === 403 ? 'CSRF token' : 'Credentials'
  const about = status === 403 ? 'missing' : 'the profile accepts no tokens'
  return [
    { title, about, result: 'refused', note: String(status) },
    ...['Credentials', 'Role', 'Permission', 'Input']
      .filter((name) => name !== title)
      .map((name) => ({ title: name, result: 'unreached' as const })),
  ]
}

/** Whether the service refused as documented. */
export function isRefusedSo({ status, text }: Pick<Exchange, 'status' | 'text'>, due: Refusal): boolean {
  const { message, tokenStatus } = refusalIn(text)
  return status === due.status && message === due.message && tokenStatus === due.tokenStatus
}

function refusalIn(text: string) {
  const { message, details } = membersIn(parseJson(text))
  return { message, tokenStatus: membersIn(details)['tokenStatus'] }
}
