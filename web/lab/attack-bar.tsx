import { Icon } from '../ui/icon.tsx'
import { ATTACKS, type Attack } from './attacks.ts'
import type { Lab } from './lab.ts'

interface AttackBarProps {
  readonly lab: Lab
  readonly current: Attack | undefined
  readonly open: (attack: Attack) => void
}

/** Calls that have to be refused. */
export function AttackBar({ lab, current, open }: AttackBarProps) {
  const isLocal = lab.facts.demoTokens !== null
  return (
    <fieldset class="bar foot chips plain">
      <legend class="hide">Attacks</legend>
      <span class="badge">
        <Icon name="sword" />
        Attack
      </span>
      {ATTACKS.map((attack) => (
        <button
          key={attack.label}
          type="button"
          class="chip"
          aria-pressed={attack === current}
          disabled={!lab.hasMaterial(attack.from)}
          title={attack.what}
          onClick={() => open(attack)}
        >
          {attack.label}
        </button>
      ))}
      {lab.facts.user === null && <span>Log in to send a call without a CSRF token.</span>}
      {!isLocal && <span>A page cannot sign: some attacks need the local stage.</span>}
    </fieldset>
  )
}
