import { describe, expect, it } from 'vitest'
import { LOGIN_ATTACKS } from '../../../../lib/contract/login-attacks.ts'
import { CHECK_NAMES, type LoginStep } from '../../../../lib/contract/login-steps.ts'
import { ATTACK_MEANINGS } from '../../../../web/oauth/checks.ts'
import { drawLogin } from '../../../../web/oauth/drawing.ts'
import { MESSAGES } from '../../../../web/oauth/messages.ts'

const step = (name: LoginStep['name'], answer?: LoginStep['answer']): LoginStep => ({
  name,
  method: 'GET',
  url: `https://idp.example/the/${name}`,
  sent: [],
  answer,
  checks: name === 'token' ? [{ name: 'signature', result: 'PASSED' }] : [],
})

const stateOf = (messages: ReturnType<typeof drawLogin>) =>
  Object.fromEntries(messages.map(({ name, state }) => [name, state]))

describe('the diagram of a login', () => {
  it('has each check at one message', () => {
    expect(MESSAGES.flatMap(({ checks = [] }) => checks)).toEqual(CHECK_NAMES)
  })

  it('has an attack for each check but that of a role, which refuses nobody', () => {
    const checks = Object.keys(LOGIN_ATTACKS).map((name) => ATTACK_MEANINGS[name as keyof typeof ATTACK_MEANINGS].check)
    expect(new Set([...checks, 'role'])).toEqual(new Set(CHECK_NAMES))
  })

  it('explains every message without a login', () => {
    const messages = drawLogin({ steps: undefined })
    expect(messages.every(({ state }) => state === 'explained')).toBe(true)
    expect(messages[2]?.line).toBe('GET /auth with state and code_challenge')
  })

  it('names the called path', () => {
    expect(drawLogin({ steps: [step('authorization')] })[2]?.line).toBe(
      'GET /the/authorization with state and code_challenge',
    )
  })

  it('shows that cached keys were not requested', () => {
    const messages = drawLogin({ steps: [step('token'), step('user')] })
    expect(stateOf(messages)).toMatchObject({ 'keys-request': 'never', keys: 'never', tokens: 'sent', session: 'sent' })
    expect(messages.find(({ name }) => name === 'tokens')?.checks).toContain('signature')
  })

  it('ends at the check that refused', () => {
    const messages = drawLogin({ steps: [step('callback')], refused: { check: 'state', expected: 'a', got: 'b' } })
    expect(stateOf(messages)).toMatchObject({
      answer: 'sent',
      callback: 'stopped',
      redemption: 'never',
      session: 'never',
    })
    const checks = messages.find(({ name }) => name === 'callback')?.drawnChecks
    expect(checks?.[1]).toEqual({ name: 'state', result: 'REFUSED', value: 'b', expected: 'a' })
    expect(checks?.[2]?.result).toBe('NOT_REACHED')
  })

  it('shows the answer of a provider that refuses', () => {
    const messages = drawLogin({ steps: [step('token', { status: 400, fields: [] })], refused: { check: 'pkce' } })
    expect(stateOf(messages)).toMatchObject({ redemption: 'stopped', tokens: 'sent', user: 'never' })
    expect(messages.find(({ name }) => name === 'tokens')?.line).toBe('400, no token')
  })

  it('ends with the last answer if no check refused', () => {
    const messages = drawLogin({ steps: [step('callback')], isBroken: true })
    expect(stateOf(messages)).toMatchObject({ callback: 'sent', redemption: 'never', session: 'never' })
  })
})
