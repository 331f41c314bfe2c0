import {
  CHECK_NAMES,
  type CheckName,
  type LoginCheck,
  type LoginStep,
  type RefusingCheck,
} from '../../lib/contract/login-steps.ts'
import type { ShownResult } from './checks.ts'
import { type LaneMessage, MESSAGES } from './messages.ts'

/** Known: it was sent, or must have been; stopped: a check refused it; never: it was not sent. */
export type MessageState = 'sent' | 'stopped' | 'never' | 'explained'

export interface DrawnCheck {
  readonly name: CheckName
  readonly result: ShownResult
  readonly value?: string | undefined
  readonly expected?: string | undefined
}

export interface DrawnMessage extends LaneMessage {
  readonly number: number
  readonly state: MessageState
  readonly line: string
  readonly recorded?: LoginStep | undefined
  readonly drawnChecks: readonly DrawnCheck[]
}

/** What the diagram shows: a login, a refused one, or how logins work. */
export interface Shown {
  readonly steps: readonly LoginStep[] | undefined
  /** The check that refused; of an attack that was not played, the one that has to. */
  readonly refused?: RefusingCheck | undefined
  /** Whether the login ended without any check: the provider did not answer. */
  readonly isBroken?: boolean
}

/** The paths of Google's demo provider, for a login that was not recorded. */
const PATHS: Readonly<Record<string, string>> = {
  authorization: '/auth',
  callback: '/login/oauth2/code/google',
  token: '/token',
  keys: '/jwks',
  user: '/me',
}

export function drawLogin(shown: Shown): readonly DrawnMessage[] {
  const messages = MESSAGES.filter(({ step }) => isDrawn(step, shown)).map((message) => withKeptKeys(message, shown))
  const checks = checksOf(shown)
  const stop = stopIn(messages, shown)
  return messages.map((message, index) => {
    const recorded = shown.steps?.find(({ name }) => name === message.step)
    const state = stateOf(message, index, stop, shown)
    return {
      ...message,
      number: index + 1,
      state,
      recorded: state === 'never' ? undefined : recorded,
      line: lineOf(message, recorded),
      drawnChecks: checks.filter(({ name }) => message.checks?.includes(name)),
    }
  })
}

/** GitHub alone has a list of addresses; keys and user are drawn unless a login went well without them. */
function isDrawn(step: string | undefined, { steps, refused }: Shown): boolean {
  if (step === 'emails') return steps?.some(({ name }) => name === 'emails') ?? false
  const isPlain = steps !== undefined && refused === undefined && !hasIdToken(steps)
  return !(step === 'keys' && isPlain)
}

function hasIdToken(steps: readonly LoginStep[]): boolean {
  return steps.some(({ checks }) => checks.some(({ name, result }) => name === 'signature' && result === 'PASSED'))
}

/** Whether the keys were kept from an earlier login, so that they were not fetched. */
function areKeysKept({ steps }: Shown): boolean {
  return steps !== undefined && !steps.some(({ name }) => name === 'keys')
}

/** With kept keys the signature is checked when the token arrives. */
function withKeptKeys(message: LaneMessage, shown: Shown): LaneMessage {
  if (!areKeysKept(shown)) return message
  if (message.name === 'tokens') return { ...message, checks: [...(message.checks ?? []), 'signature'] }
  return message.name === 'keys' ? { ...message, checks: [] } : message
}

/** The index of the message that a check stopped; past the end if none did. */
function stopIn(messages: readonly LaneMessage[], { refused }: Shown): number {
  const index = messages.findIndex(({ checks }) => refused !== undefined && checks?.includes(refused.check))
  return index === -1 ? messages.length : index
}

function stateOf(message: LaneMessage, index: number, stop: number, shown: Shown): MessageState {
  const { steps, refused, isBroken = false } = shown
  if (steps === undefined && refused === undefined) return 'explained'
  if (index === stop) return 'stopped'
  if (index > stop) return wasAnswered(message.step, index, stop, steps) ? 'sent' : 'never'
  return wasSent(message, shown, isBroken) ? 'sent' : 'never'
}

/** Of a message before the end. What only the browser sees is not recorded, and kept keys are not asked for again. */
function wasSent({ lanes, name: message, step }: LaneMessage, shown: Shown, isBroken: boolean): boolean {
  const isRecorded = shown.steps?.some(({ name }) => name === step) ?? false
  if (isBroken && (lanes === 'gp' || message === 'session')) return isRecorded
  return step !== 'keys' || !areKeysKept(shown)
}

/** The provider answers a request that it refuses. */
function wasAnswered(step: LaneMessage['step'], index: number, stop: number, steps: Shown['steps']): boolean {
  return step === 'token' && index === stop + 1 && steps?.some(({ name }) => name === 'token') === true
}

/** What the provider sent, which an attack changes. */
function parametersOf({ sent }: LoginStep): string {
  const names = sent.map(({ name }) => name).filter((name) => ['code', 'error', 'state'].includes(name))
  return names.join(' and ')
}

function lineOf({ name, label, step }: LaneMessage, recorded: LoginStep | undefined): string {
  const status = recorded?.answer?.status ?? 200
  if (status >= 400 && name === 'tokens') return `${status}, no token`
  if (recorded && name === 'answer') return `302 with ${parametersOf(recorded)}`
  return label(recorded && URL.canParse(recorded.url) ? new URL(recorded.url).pathname : (PATHS[step ?? ''] ?? ''))
}

function checksOf({ steps, refused }: Shown): readonly DrawnCheck[] {
  const recorded = new Map((steps ?? []).flatMap(({ checks }) => checks.map((check) => [check.name, check] as const)))
  const stop = refused === undefined ? CHECK_NAMES.length : CHECK_NAMES.indexOf(refused.check)
  return CHECK_NAMES.map((name, index) => {
    if (steps === undefined && refused === undefined) return { name, result: 'EXPLAINED' }
    if (refused !== undefined && index === stop)
      return { name, result: 'REFUSED', value: refused.got, expected: refused.expected }
    return index > stop ? { name, result: 'NOT_REACHED' } : before(name, recorded.get(name))
  })
}

function before(name: CheckName, check: LoginCheck | undefined): DrawnCheck {
  return check ?? { name, result: 'EXPLAINED' }
}
