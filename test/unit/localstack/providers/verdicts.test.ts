import { expect, it } from 'vitest'
import { type Credential, openCallLog, type SeenCall } from '../../../../localstack/lab/call.ts'
import { type OpenFault, openReport } from '../../../../localstack/providers/faults.ts'

const at = new Date('2026-11-30T10:00:00Z')

const credentialOf = (text: string): Credential => {
  const [, kind = 'none', number] = /^(.*?)( \d)?$/.exec(text) ?? []
  return { kind: kind as Credential['kind'], ...(number && { digest: text }) }
}

const call = (path: string, shows: string, issues?: string, status = 200): SeenCall => ({
  ...{ at, method: 'POST', path, credential: credentialOf(shows) },
  answer: { at, status, ...(issues !== undefined && { issued: credentialOf(issues) }) },
})

const ALL = ['state', 'nonce', 'code_challenge']
const login = (issues: string | undefined = 'code 1', parameters = ALL): SeenCall => ({
  ...call('/auth', 'none', issues, 303),
  parameters,
})
const redeem = (code = 'code 1', issues = 'token 1') => call('/token', code, issues)
const use = (token = 'token 1', status = 200) => call('/me', token, undefined, status)
const refresh = (token: string) => call('/token', token, 'token 9')
const HONEST = [login(), redeem(), use()]

function verdictOf(fault: OpenFault, calls: readonly SeenCall[], honest: readonly SeenCall[] = HONEST): string {
  const log = openCallLog<OpenFault>()
  for (const one of honest) log.add('a', 'no-fault', one)
  if (fault !== 'no-fault') for (const one of calls) log.add('a', fault, one)
  return openReport('a', log).find((report) => report.fault === fault)?.verdict ?? ''
}

it.each<[title: string, verdict: string, fault: OpenFault, calls: readonly SeenCall[], honest?: readonly SeenCall[]]>([
  ['who stops passes', 'passed', 'old-nonce', [login(), redeem()]],
  ['who stops proves nothing without a login that is no fault', 'unfinished', 'old-nonce', [login(), redeem()], []],
  [
    'nor with one whose token was refused',
    'unfinished',
    'old-nonce',
    [login(), redeem()],
    [login(), redeem(), use('token 1', 401)],
  ],
  ['who goes on fails with and without it', 'failed', 'old-nonce', [login(), redeem(), use()], []],
  ['a refresh is a use', 'failed', 'expired', [login(), redeem(), refresh('refresh token 1')]],
  [
    'who sends no nonce has nothing to compare',
    'unfinished',
    'no-nonce',
    [login('code 1', ['state']), redeem(), use()],
  ],
  ['who sends no state neither', 'unfinished', 'foreign-state', [login('code 1', ['nonce']), redeem()]],
  ['another parameter does not matter there', 'failed', 'mixed-up', [login('code 1', []), redeem()]],
  ['an error is no reason to ask for tokens', 'failed', 'error-answer', [login(undefined), redeem('code 7')]],
  ['two logins after errors are none', 'passed', 'error-answer', [login(undefined), login(undefined)]],
  ['three are a loop', 'failed', 'error-answer', [login(undefined), login(undefined), login(undefined)]],
  ['two codes are two logins', 'passed', 'used-code', [login(), redeem(), login('code 2'), redeem('code 2')]],
  ['a code twice is once too often', 'failed', 'slow', [login(), redeem(), redeem()]],
  ['one refresh shows no rotation', 'unfinished', 'refresh-rotated', [refresh('refresh token 1')]],
  [
    'the old refresh token fails',
    'failed',
    'refresh-rotated',
    [refresh('refresh token 1'), refresh('refresh token 1')],
  ],
  ['the new one passes', 'passed', 'refresh-rotated', [refresh('refresh token 1'), refresh('refresh token 2')]],
  ['one login shows no new key', 'unfinished', 'new-key', [login(), redeem(), use()]],
  ['a second login that stops did not find it', 'failed', 'new-key', [...HONEST, login(), redeem('code 2', 'token 2')]],
  ['a second login that goes on did', 'passed', 'new-key', [...HONEST, redeem('code 2', 'token 2'), use('token 2')]],
  ['one login without a challenge fails', 'failed', 'pkce-unasked', [login(), login('code 2', ['state'])]],
])('%s: %s at %s', (_, verdict, fault, calls, honest) => {
  expect(verdictOf(fault, calls, honest)).toBe(verdict)
})
