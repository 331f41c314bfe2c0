import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { LOGIN_ATTACKS, type LoginAttack } from '../../lib/contract/login-attacks.ts'
import type { RefusedLogin } from '../../lib/contract/login-steps.ts'
import { facts, isLocal } from '../facts.ts'
import { mount } from '../mount.tsx'
import { ATTACK_MEANINGS, CHECKS } from '../oauth/checks.ts'
import { type DrawnMessage, drawLogin, type Shown } from '../oauth/drawing.ts'
import { MessagePane } from '../oauth/message-pane.tsx'
import {
  isProviderSession,
  login,
  orderAttack,
  problem,
  readLogin,
  readRefusedLogin,
  refusedLogin,
} from '../oauth/record.ts'
import { pageAddress } from '../ui/address.ts'
import { LookBadge, type Tone } from '../ui/badge.tsx'
import { Button, Choices } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { PageBar, Scroll, Split } from '../ui/layout.tsx'
import { LocalLink } from '../ui/links.tsx'
import { LiveTime } from '../ui/times.tsx'

const address = pageAddress(['attack', 'message'])
const BACK = '?returnTo=%2Fconsole%2Foauth'

const openMessage = (message: string) => address.go({ message })
const close = () => openMessage('')

function isAttack(name: string): name is LoginAttack {
  return Object.hasOwn(LOGIN_ATTACKS, name)
}

/** A login with a provider as a diagram: the last one, an attack on one, or how logins work. */
export function OAuthPage() {
  useEffect(() => {
    if (isProviderSession) void readLogin()
    void readRefusedLogin()
  }, [])
  const { attack: wanted = '', message: open = '' } = address.fields.value
  const attack = isAttack(wanted) ? wanted : undefined
  const played = refusedLogin.value?.lab === (attack ?? '') ? refusedLogin.value : undefined
  const messages = drawLogin(shownOf(attack, played))
  const at = messages.findIndex(({ name }) => name === open)
  const opened = messages[at]
  const walkTo = (index: number) => {
    const name = messages[index]?.name
    return name === undefined ? undefined : () => openMessage(name)
  }
  const stopped = messages.find(({ state }) => state === 'stopped')
  return (
    <Split
      label="OAuth login"
      close={close}
      list={
        <>
          <PageBar title="OAuth login">
            <Verdict attack={attack} played={played} />
            {facts.providers.length > 0 && <span class="muted small c1">Log in with</span>}
            {facts.providers.map(({ id, label }) => (
              <a key={id} class="btn" href={`/oauth2/authorization/${id}${BACK}`}>
                <span class="hide">Log in with </span>
                {label}
              </a>
            ))}
          </PageBar>
          <AttackChips chosen={attack} />
          <Lanes messages={messages} open={open} linkTo={(message) => address.linkTo({ message })} follow={openMessage}>
            <Note
              attack={attack}
              played={played}
              stopped={stopped && { number: stopped.number, open: () => openMessage(stopped.name) }}
            />
          </Lanes>
          <div class="foot">
            <span>Dashed messages were not sent. Secrets are cut to four characters.</span>
          </div>
        </>
      }
      pane={
        opened && {
          label: 'Message',
          content: (
            <MessagePane
              key={opened.name}
              message={opened}
              close={close}
              previous={walkTo(at - 1)}
              next={walkTo(at + 1)}
            />
          ),
        }
      }
    />
  )
}

/** Of the demo providers only the one with OpenID Connect tries attacks. */
const isPlayable = isLocal && facts.providers.some(({ id }) => id === 'google')

function shownOf(attack: LoginAttack | undefined, played: RefusedLogin | undefined): Shown {
  if (attack === undefined && !played) return { steps: login.value?.steps }
  if (attack !== undefined && !played) return { steps: undefined, refused: { check: ATTACK_MEANINGS[attack].check } }
  return { steps: played?.steps, refused: played?.refused, isBroken: played?.refused === undefined }
}

interface AttackProps {
  readonly attack: LoginAttack | undefined
  /** The refused login of this attack, or of no attack. */
  readonly played: RefusedLogin | undefined
}

function Verdict({ attack, played }: AttackProps) {
  const passed = login.value?.steps.flatMap(({ checks }) => checks).filter(({ result }) => result === 'PASSED')
  if (attack !== undefined && played?.refused)
    return <LookBadge look={{ label: 'Attack stopped', tone: 'ok', icon: 'shield-ok' }} isSolid />
  if (played) return <LookBadge look={{ label: 'Login refused', tone: 'bad', icon: 'bad' }} isSolid />
  if (attack !== undefined) return <LookBadge look={{ label: 'Not played', tone: 'note', icon: 'dash' }} isSolid />
  return passed ? <LookBadge look={{ label: `${passed.length} checks passed`, tone: 'ok' }} isSolid /> : null
}

function AttackChips({ chosen }: { readonly chosen: LoginAttack | undefined }) {
  return (
    <Choices
      legend="Attacks"
      class="line"
      head={['sword', 'Attack']}
      choices={Object.entries(LOGIN_ATTACKS).map(([name, label]) => ({
        label,
        isOn: name === chosen,
        choose: () => address.go({ attack: name === chosen ? '' : name, message: '' }),
      }))}
    />
  )
}

interface AttackNoteProps extends NoteProps {
  readonly attack: LoginAttack
  /** Where a login begins that tries it; undefined where no provider tries it. */
  readonly start: string | undefined
}

interface NoteProps extends AttackProps {
  /** The message that was refused. */
  readonly stopped: { readonly number: number; readonly open: () => void } | undefined
}

function Note({ attack, ...given }: NoteProps) {
  const start = isPlayable ? `/oauth2/authorization/google${BACK}` : undefined
  if (attack !== undefined) return <AttackNote attack={attack} start={start} {...given} />
  return given.played ? <RefusedNote {...given.played} /> : <LoginNote />
}

/** What the chosen attack does, and which check stops it. */
function AttackNote({ attack, played, start, stopped }: AttackNoteProps) {
  const { text, source } = ATTACK_MEANINGS[attack]
  const [tone, verdict] = verdictOf(attack, played)
  return (
    <div class="note stack tight" data-tone={tone}>
      <p>
        <strong>{verdict}</strong>
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

function verdictOf(attack: LoginAttack, played: RefusedLogin | undefined): readonly [tone: Tone, text: string] {
  if (!played) return ['note', `The check “${CHECKS[ATTACK_MEANINGS[attack].check].label}” must stop this attack.`]
  if (!played.refused) return ['bad', `No check refused this login; it failed: ${played.reason}.`]
  return ['ok', `The check “${CHECKS[played.refused.check].label}” refused this login.`]
}

/** Of a login that was no attack. */
function RefusedNote({ provider, reason, refused, change, at }: RefusedLogin) {
  const check = refused && <>: the check “{CHECKS[refused.check].label}” refused it</>
  return (
    <div class="note stack tight" data-tone="bad">
      <p>
        <strong>The login with {provider} failed</strong>, <LiveTime at={at} /> ({reason}
        {check}).
      </p>
      <p class="small">What to change: {change}.</p>
    </div>
  )
}

/** Whose login the diagram shows, or that it shows none. */
function LoginNote() {
  if (problem.value !== undefined)
    return (
      <div class="note row flow" data-tone="bad" role="alert">
        <p>{problem}</p>
        <Button onClick={readLogin}>Try again</Button>
      </div>
    )
  if (login.value)
    return (
      <p class="muted small">
        You logged in with {login.value.provider}, <LiveTime at={login.value.at} />.
      </p>
    )
  if (isProviderSession)
    return (
      <p class="muted small" role="status">
        Loading …
      </p>
    )
  return (
    <p class="muted small">
      This is how a login works. {facts.user ? 'You logged in with a password.' : 'You are not logged in.'}{' '}
      {facts.providers.length === 0
        ? 'No provider is offered here.'
        : 'Log in with a provider, and the page shows that login.'}
    </p>
  )
}

mount(OAuthPage)

interface LanesProps {
  readonly messages: readonly DrawnMessage[]
  /** The name of the open message. */
  readonly open: string
  readonly linkTo: (name: string) => string
  readonly follow: (name: string) => void
  /** Above the diagram. */
  readonly children: ComponentChildren
}

/** Browser, Gatehouse and provider, and the messages between them from top to bottom. */
function Lanes({ messages, open, linkTo, follow, children }: LanesProps) {
  return (
    <Scroll label="Messages between browser, Gatehouse and provider" class="pad stack">
      {children}
      <div class="meter lane-heads">
        <b>Browser</b>
        <b>Gatehouse</b>
        <b>Provider</b>
      </div>
      <ol class="lanes">
        {messages.map((message) => (
          <li key={message.name} class={classOf(message)} data-state={message.state}>
            <LocalLink
              address={linkTo(message.name)}
              current={message.name === open ? 'true' : undefined}
              follow={() => follow(message.name)}
              tone={message.state === 'stopped' ? 'bad' : 'note'}
            >
              <Line message={message} />
            </LocalLink>
          </li>
        ))}
      </ol>
    </Scroll>
  )
}

function Line({ message: { number, line, state } }: { readonly message: DrawnMessage }) {
  return (
    <span>
      <b class="num">{number}</b> {line}
      {state === 'stopped' && (
        <>
          {' '}
          <span class="tone" data-tone="bad">
            <Icon name="shield" /> stopped
          </span>
        </>
      )}
      {state === 'never' && <span class="hide"> (not sent)</span>}
    </span>
  )
}

function classOf({ lanes, isBack, state }: DrawnMessage): string {
  return [lanes, ...(isBack ? ['back'] : []), ...(state === 'never' ? ['never'] : [])].join(' ')
}
