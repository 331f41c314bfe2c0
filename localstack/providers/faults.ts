import { type AnsweredCall, type CallLog, type CredentialKind, isAnswered } from '../lab/call.ts'
import { type FaultReport, reported } from '../lab/report.ts'
import { asFailed, asPassed, asUnfinished, counted, isSameCredential, type Judgment } from '../lab/rules.ts'
import texts from './faults.json' with { type: 'json' }

/** A judgment; if it passes for what a client did not do, only a login without a fault shows that it would have. */
type OpenJudgment = Judgment & { readonly isSilent?: true }

/** What the provider does at the issuer of a fault, what a client must do to pass, and the section that says so. */
export const OPEN_FAULTS = texts

export type OpenFault = keyof typeof texts

type Rule = (calls: readonly AnsweredCall[]) => OpenJudgment

const silent = (finding: string): OpenJudgment => ({ ...asPassed(finding), isSilent: true })

const shown = (calls: readonly AnsweredCall[], ...kinds: readonly CredentialKind[]) =>
  calls.filter(({ credential }) => kinds.includes(credential.kind))

const logins = (calls: readonly AnsweredCall[]) => calls.filter(({ parameters }) => parameters !== undefined)

const issuing = (calls: readonly AnsweredCall[]) => calls.filter(({ answer }) => answer.issued?.kind === 'token')

const hasUsed = (calls: readonly AnsweredCall[], { answer: { issued } }: AnsweredCall) =>
  calls.some(({ credential }) => issued !== undefined && isSameCredential(credential, issued))

/** The answer of the authorization endpoint has to be refused. */
function leavesCode(calls: readonly AnsweredCall[]): OpenJudgment {
  if (logins(calls).length === 0) return asUnfinished('The client has got no answer yet.')
  if (shown(calls, 'code').length > 0)
    return asFailed('The client redeemed the code of an answer that it had to refuse.')
  return silent('The client has not redeemed the code of the answer.')
}

/** The answer of the token endpoint has to be refused. */
function leavesTokens(calls: readonly AnsweredCall[]): OpenJudgment {
  if (issuing(calls).length === 0) return asUnfinished('The client has got no tokens yet.')
  const uses = shown(calls, 'token', 'refresh token').length
  if (uses > 0)
    return asFailed(`The client used the tokens of an answer that it had to refuse, ${counted(uses, 'time')}.`)
  return silent('The client has not used the tokens of the answer.')
}

/** @param least how many different ones it has to send */
function sendsOnce(kind: 'code' | 'refresh token', least = 1): Rule {
  return (calls) => {
    const sent = shown(calls, kind)
    const different = new Set(sent.map(({ credential }) => credential.digest)).size
    if (different < sent.length) return asFailed(`The client sent a ${kind} again that is of no more use.`)
    if (different < least) return asUnfinished(`The client has sent ${counted(different, kind)} of ${least}.`)
    return asPassed(`The client sent ${counted(different, kind)}, and none twice.`)
  }
}

function stopsAtError(calls: readonly AnsweredCall[]): OpenJudgment {
  const begun = logins(calls).length
  if (begun === 0) return asUnfinished('The client has got no answer yet.')
  if (begun < calls.length) return asFailed('The client asked for tokens although the answer was an error.')
  if (begun >= LOOP) return asFailed(`The client began ${begun} logins, although each answer was an error.`)
  return silent('The client has not asked for tokens.')
}

/** Logins after an error that are taken for a loop. */
const LOOP = 3

function looksUpKey(calls: readonly AnsweredCall[]): OpenJudgment {
  const [first, ...later] = issuing(calls)
  if (first === undefined || later.length === 0) return asUnfinished('The client has to log in twice.')
  if (later.some((login) => hasUsed(calls, login))) return asPassed('The client found the new key, and used its token.')
  if (hasUsed(calls, first)) return asFailed('The client used the token of the first key, and none of the next key.')
  return asUnfinished('The client has used no token yet.')
}

function sendsChallenge(calls: readonly AnsweredCall[]): OpenJudgment {
  if (logins(calls).length === 0) return asUnfinished('The client has got no answer yet.')
  if (logins(calls).some(({ parameters }) => !parameters?.includes('code_challenge')))
    return asFailed('The client sent no code_challenge.')
  return asPassed('The client sent a code_challenge at each login.')
}

function loginPasses(calls: readonly AnsweredCall[]): OpenJudgment {
  if (shown(calls, 'token').some(({ answer }) => answer.status === 200))
    return asPassed('The client logged in, and called userinfo.')
  return asUnfinished('The client has not called userinfo with a token yet.')
}

const RULES = {
  loginPasses,
  leavesCode,
  leavesTokens,
  stopsAtError,
  redeemsOnce: sendsOnce('code'),
  refreshesOnce: sendsOnce('refresh token'),
  refreshesTwice: sendsOnce('refresh token', 2),
  looksUpKey,
  sendsChallenge,
}

/** Judges what a client did, which cannot compare a parameter that it did not send. */
function judged(fault: OpenFault, calls: readonly AnsweredCall[]): OpenJudgment {
  const { rule, compares }: { rule: string; compares?: string } = texts[fault]
  const isSent = compares === undefined || logins(calls).some(({ parameters }) => parameters?.includes(compares))
  if (isSent) return RULES[rule as keyof typeof RULES](calls)
  return asUnfinished(`The client sent no ${compares}, so that it has nothing to compare.`)
}

export const OPEN_FAULT_NAMES = Object.keys(OPEN_FAULTS) as readonly OpenFault[]

export function isOpenFault(name: string): name is OpenFault {
  return Object.hasOwn(OPEN_FAULTS, name)
}

/** What a client did at the open provider, fault by fault. */
export function openReport(client: string, log: Pick<CallLog<OpenFault>, 'read'>): readonly FaultReport[] {
  return OPEN_FAULT_NAMES.map((fault) => {
    const { calls, furtherCalls } = log.read(client, fault)
    const { good: goodClient, why } = OPEN_FAULTS[fault]
    return { fault, goodClient, why, ...judgeOpen(fault, client, log), calls: reported(calls), furtherCalls }
  })
}

/** Judges what a client has done at the issuer of a fault so far. */
function judgeOpen(fault: OpenFault, client: string, log: Pick<CallLog<OpenFault>, 'read'>): Judgment {
  const answered = (name: OpenFault) => log.read(client, name).calls.filter(isAnswered)
  const calls = answered(fault)
  if (calls.length === 0) return { verdict: 'not tried', finding: 'The client has made no call.' }
  const { isSilent, ...judgment } = judged(fault, calls)
  if (!isSilent || judged('no-fault', answered('no-fault')).verdict === 'passed') return judgment
  return asUnfinished(
    'The client has to log in without a fault, too, and call userinfo: only then this means something.',
  )
}
