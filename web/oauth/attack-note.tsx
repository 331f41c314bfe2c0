import type { LoginAttack } from '../../lib/contract/login-attacks.ts'
import type { RefusedLogin } from '../../lib/contract/login-steps.ts'
import { Button } from '../ui/button.tsx'
import { ATTACK_MEANINGS, CHECKS } from './checks.ts'
import { orderAttack } from './record.ts'

interface AttackNoteProps {
  readonly attack: LoginAttack
  /** The refused login of this attack. */
  readonly played: RefusedLogin | undefined
  /** Where a login begins that plays it; undefined where nobody plays it. */
  readonly start: string | undefined
  readonly stopped: { readonly number: number; readonly open: () => void } | undefined
}

/** What the chosen attack does, and which check stops it. */
export function AttackNote({ attack, played, start, stopped }: AttackNoteProps) {
  const { text, source } = ATTACK_MEANINGS[attack]
  return (
    <div class="note stack tight" data-tone={played ? 'bad' : 'note'}>
      <p>
        <strong>{verdictOf(attack, played)}</strong>
      </p>
      <p class="small">
        {text} <span class="muted">{source}</span>
      </p>
      <p class="row flow">
        {start !== undefined && (
          <a class="btn main-btn" href={start} onClick={() => orderAttack(attack)}>
            {played ? 'Play it again' : 'Play this attack'}
          </a>
        )}
        {stopped && <Button onClick={stopped.open}>Open message {stopped.number}</Button>}
      </p>
    </div>
  )
}

function verdictOf(attack: LoginAttack, played: RefusedLogin | undefined): string {
  if (!played) return `The check “${CHECKS[ATTACK_MEANINGS[attack].check].label}” must stop this attack.`
  if (!played.refused) return `No check refused this login; it failed: ${played.reason}.`
  return `The check “${CHECKS[played.refused.check].label}” refused this login.`
}
