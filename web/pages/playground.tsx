import type { Profile } from '../../lib/auth/profile.ts'
import { isSessionOver } from '../ask.ts'
import { makeCall } from '../call.ts'
import { CallerChoice } from '../caller-choice.tsx'
import { AUTH_LABELS, type AuthMethod, demoCallers, type PasswordMethod } from '../callers.ts'
import { facts, loginHere } from '../facts.ts'
import { ATTACKS, type Attack } from '../lab/attacks.ts'
import { ChannelsDialog } from '../lab/channels.tsx'
import { Inspector, Resting } from '../lab/inspector.tsx'
import { type Cell, cellKeyOf, createLab, isAsExpected, type Lab } from '../lab/lab.ts'
import { Matrix, Profiles } from '../lab/matrix.tsx'
import { authIn, CLOSED, openedIn, PLACE_NAMES, toAttack, toCell } from '../lab/place.ts'
import { mount } from '../mount.tsx'
import { logIn } from '../token/calls.ts'
import { pageAddress } from '../ui/address.ts'
import { LookBadge } from '../ui/badge.tsx'
import { Button, Choices } from '../ui/button.tsx'
import { DialogButton } from '../ui/dialog.tsx'
import { PageBar, Scroll, Split } from '../ui/layout.tsx'
import { Tabs } from '../ui/links.tsx'

const lab = createLab(facts, {
  exchange: makeCall,
  logIn,
  sessionEnded: () => {
    isSessionOver.value = true
  },
})

const address = pageAddress(PLACE_NAMES)

/** Where the focus was when something was opened. */
let origin: HTMLElement | undefined

function show(changes: Readonly<Record<string, string>>): void {
  origin = document.activeElement instanceof HTMLElement ? document.activeElement : undefined
  address.go(changes)
}

function close(): void {
  address.go(CLOSED)
  origin?.focus()
}

function openCell(cell: Cell, profile: Profile): void {
  show(toCell(cell, profile, lab))
  const isNew = !lab.outcomes.value.has(cellKeyOf(cell))
  if (profile === lab.running && isNew && lab.isReady(cell.auth)) void lab.run(cell)
}

function openAttack(attack: Attack): void {
  show(toAttack(attack))
  void lab.strike(attack)
}

/** Every endpoint with every way to call it, and beside it the call that is open. */
export function LabPage() {
  const opened = openedIn(address, lab)
  const isComparing = address.fields.value['view'] === 'profiles'
  const matrix = {
    lab,
    current: opened?.kind === 'cell' ? `${cellKeyOf(opened.cell)} ${isComparing ? opened.profile : lab.running}` : '',
    linkTo: (cell: Cell, profile: Profile) => address.linkTo(toCell(cell, profile, lab)),
    open: openCell,
  }
  return (
    <Split
      label="Endpoints and ways to call them"
      list={
        <>
          <Head />
          <div class="bar line chips">
            <Callers />
          </div>
          <Tabs
            label="Views"
            tabs={[
              { name: '', label: `Profile ${lab.running}`, address: address.linkTo({ view: '', profile: '' }) },
              { name: 'profiles', label: 'All profiles', address: address.linkTo({ view: 'profiles' }) },
            ]}
            current={isComparing ? 'profiles' : ''}
            choose={(view) => address.go(view === '' ? { view, profile: '' } : { view })}
          />
          <Scroll label="Matrix">
            {isComparing ? (
              <Profiles {...matrix} auth={authIn(address)} chooseAuth={(auth) => address.go({ way: auth })} />
            ) : (
              <Matrix {...matrix} />
            )}
          </Scroll>
          <AttackBar lab={lab} current={opened?.kind === 'attack' ? opened.attack : undefined} open={openAttack} />
        </>
      }
      pane={{
        label: 'Inspector',
        isResting: opened === undefined,
        content: opened ? (
          <Inspector key={JSON.stringify(address.fields.value)} lab={lab} opened={opened} close={close} />
        ) : (
          <Resting />
        ),
      }}
      close={close}
    />
  )
}

function Head() {
  return (
    <PageBar title="Endpoints">
      <Total />
      <DialogButton icon="live" dialog={(close) => <ChannelsDialog lab={lab} close={close} />}>
        STOMP and gRPC …
      </DialogButton>
      <Button icon="play" class="main-btn" disabled={lab.progress.value !== undefined} onClick={lab.runAll}>
        Run all
      </Button>
    </PageBar>
  )
}

function Total() {
  const { progress, outcomes } = lab
  const tried = [...outcomes.value.values()]
  const right = tried.filter(isAsExpected).length
  const label = `${right} of ${tried.length} as documented`
  return (
    <span role="status">
      {progress.value && `${progress.value.done} of ${progress.value.total}`}
      {!progress.value && tried.length > 0 && (
        <LookBadge look={{ label, tone: right === tried.length ? 'ok' : 'bad' }} isSolid />
      )}
    </span>
  )
}

const hasPassword = (auth: AuthMethod): auth is PasswordMethod => auth !== 'none' && auth !== 'session'

function Callers() {
  return (
    <>
      {lab.authMethods.filter(hasPassword).map((auth) => (
        <CallerChoice
          key={auth}
          label={AUTH_LABELS[auth]}
          caller={lab.callers[auth]}
          known={demoCallers(auth, facts)}
          asksRole
        />
      ))}
      <span class="chip">
        <span class="muted">{AUTH_LABELS.session}</span>
        {facts.user ? <b>{facts.user.username}</b> : <a href={loginHere()}>Log in</a>}
      </span>
    </>
  )
}

interface AttackBarProps {
  readonly lab: Lab
  readonly current: Attack | undefined
  readonly open: (attack: Attack) => void
}

/** Calls that have to be refused. */
function AttackBar({ lab, current, open }: AttackBarProps) {
  const isLocal = lab.facts.demoTokens !== null
  return (
    <Choices
      legend="Attacks"
      class="foot"
      head={['sword', 'Attack']}
      choices={ATTACKS.map((attack) => ({
        label: attack.label,
        title: attack.what,
        isOn: attack === current,
        isDisabled: !lab.hasMaterial(attack.from),
        choose: () => open(attack),
      }))}
    >
      {lab.facts.user === null && <span>Log in to send a call without a CSRF token.</span>}
      {!isLocal && <span>A page cannot sign: some attacks need the local stage.</span>}
    </Choices>
  )
}

mount(LabPage)
