import type { ComponentChildren } from 'preact'
import type { Profile } from '../../lib/auth/profile.ts'
import { AUTH_LABELS } from '../callers.ts'
import { loginHere } from '../facts.ts'
import { type Look, LookBadge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { ExchangeParts } from '../ui/exchange-parts.tsx'
import { Empty } from '../ui/layout.tsx'
import { Pane, Part } from '../ui/pane.tsx'
import { type CheckStep, CheckSteps } from '../ui/steps.tsx'
import { type Attack, attackSteps, dueRefusal } from './attacks.ts'
import { type Cell, cellKeyOf, isAsExpected, type Lab, type TryOutcome } from './lab.ts'
import type { Opened } from './place.ts'

interface Inspected {
  readonly lab: Lab
  readonly close: () => void
}

interface InspectorProps extends Inspected {
  readonly opened: Opened
}

/** A call and its answer, with each check that led to it. */
export function Inspector({ lab, opened, close }: InspectorProps) {
  if (opened.kind === 'attack') return <AttackPane lab={lab} attack={opened.attack} close={close} />
  const { cell, profile } = opened
  return profile === lab.running && lab.rows.some(([name]) => name === cell.name) ? (
    <CallPane lab={lab} cell={cell} close={close} />
  ) : (
    <ExpectedPane lab={lab} cell={cell} profile={profile} close={close} />
  )
}

/** In the place of the inspector while nothing is open. */
export function Resting() {
  return (
    <Empty title="Nothing is open">
      <p class="muted">
        Choose a cell to call its endpoint, or an attack. No call changes data. Arrow keys move between the cells, Enter
        calls.
      </p>
    </Empty>
  )
}

function CallPane({ lab, cell, close }: Inspected & { readonly cell: Cell }) {
  const { route, auth } = cell
  const { status, steps } = lab.expected(cell)
  const who =
    auth === 'session' ? lab.facts.user?.username : auth === 'none' ? undefined : lab.callers[auth].value.username
  return (
    <Pane
      title={<code>{`${route.method} ${route.path}`}</code>}
      note={who ? `${AUTH_LABELS[auth]} as ${who}` : AUTH_LABELS[auth]}
      close={close}
      actions={<SendButton send={() => lab.run(cell)} isReady={lab.isReady(auth)} />}
    >
      <Result outcome={lab.outcomes.value.get(cellKeyOf(cell))} due={String(status)} steps={steps}>
        {!lab.isReady(auth) && <NotReady isSession={auth === 'session'} />}
      </Result>
      <InReference name={cell.name} />
    </Pane>
  )
}

function AttackPane({ lab, attack, close }: Inspected & { readonly attack: Attack }) {
  const due = dueRefusal(attack, lab.facts)
  const documented = [String(due.status), due.message, due.tokenStatus].filter(Boolean).join(' · ')
  return (
    <Pane
      title={attack.label}
      note={attack.what}
      close={close}
      actions={<SendButton send={() => lab.strike(attack)} isReady={lab.hasMaterial(attack.from)} />}
    >
      <Result outcome={lab.outcomes.value.get(attack.label)} due={documented} steps={attackSteps(due)} />
    </Pane>
  )
}

interface ExpectedPaneProps extends Inspected {
  readonly cell: Cell
  readonly profile: Profile
}

function ExpectedPane({ lab, cell, profile, close }: ExpectedPaneProps) {
  const { route, auth } = cell
  const { status, steps } = lab.expected(cell, profile)
  const command = `PROFILE=${profile} npm start`
  return (
    <Pane
      title={<code>{`${route.method} ${route.path}`}</code>}
      note={`${AUTH_LABELS[auth]}, profile ${profile}`}
      close={close}
    >
      <p>
        <LookBadge look={{ label: `${status} expected, not called`, tone: 'note', icon: 'info' }} isSolid />
      </p>
      {profile !== lab.running && (
        <section class="stack" aria-label="To call it">
          <p>
            This service runs in the profile {lab.running}. Start it in the profile {profile} to call this cell:
          </p>
          <p class="row">
            <code>{command}</code> <CopyButton text={command} of="the command" />
          </p>
        </section>
      )}
      <Part title="Decision">
        <CheckSteps steps={steps} />
      </Part>
      <InReference name={cell.name} />
    </Pane>
  )
}

/** @param name of the endpoint, which is its operation id */
function InReference({ name }: { readonly name: string }) {
  return (
    <p>
      <a class="small" href={`/docs#${name}`}>
        This endpoint in the API reference
      </a>
    </p>
  )
}

interface ResultProps {
  readonly outcome: TryOutcome | undefined
  /** The documented answer. */
  readonly due: string
  readonly steps: readonly CheckStep[]
  readonly children?: ComponentChildren
}

function Result({ outcome, due, steps, children }: ResultProps) {
  return (
    <>
      <div class="row flow" role="status">
        <LookBadge look={verdictOf({ outcome, due })} isSolid />
        {outcome?.kind === 'answered' && <span class="small muted num push">{outcome.exchange.milliseconds} ms</span>}
      </div>
      {children}
      <Part title={outcome && !isAsExpected(outcome) ? 'Decision as documented' : 'Decision'}>
        <CheckSteps steps={steps} />
      </Part>
      {outcome?.kind === 'answered' && <ExchangeParts exchange={outcome.exchange} />}
    </>
  )
}

function verdictOf({ outcome, due }: Pick<ResultProps, 'outcome' | 'due'>): Look {
  if (!outcome) return { label: `${due} expected`, tone: 'note', icon: 'info' }
  if (outcome.kind === 'failed') return { label: outcome.reason, tone: 'bad' }
  return isAsExpected(outcome)
    ? { label: `${due} as documented`, tone: 'ok' }
    : { label: `${outcome.exchange.status}, documented is ${due}`, tone: 'bad' }
}

function SendButton({ send, isReady }: { readonly send: () => Promise<unknown>; readonly isReady: boolean }) {
  return (
    <Button icon="send" disabled={!isReady} onClick={send}>
      Send
    </Button>
  )
}

function NotReady({ isSession }: { readonly isSession: boolean }) {
  return isSession ? (
    <p>
      <a href={loginHere()}>Log in</a> to call it with a session.
    </p>
  ) : (
    <p>Choose a caller to call it.</p>
  )
}
