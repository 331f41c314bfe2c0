import { signal } from '@preact/signals'
import type { loginSteps } from '../../lib/contract/answers/logins.ts'
import { ATTACK_COOKIE } from '../../lib/contract/login-attacks.ts'
import { REFUSED_LOGIN, type RefusedLogin } from '../../lib/contract/login-steps.ts'
import { ask, type Response, wordsOf } from '../ask.ts'
import { facts } from '../facts.ts'

/** The login with which the session of the page began; undefined without one, and until it is read. */
export const login = signal<Response<typeof loginSteps> | undefined>(undefined)
export const problem = signal<string | undefined>(undefined)

/** The refused login that the local stage left in a cookie. */
export const refusedLogin = signal<RefusedLogin | undefined>(undefined)

/** Whether the session began with a provider. */
export const isProviderSession = facts.user?.authType === 'OAuth2'

export async function readLogin(): Promise<void> {
  problem.value = undefined
  try {
    login.value = await ask('/api/oauth2/steps')
  } catch (error) {
    problem.value = wordsOf(error)
  }
}

export async function readRefusedLogin(): Promise<void> {
  const value = cookieNamed(REFUSED_LOGIN.cookie)
  if (value !== undefined) refusedLogin.value = await unpacked(value)
}

/** Orders an attack of the demo provider, for the login that begins now. */
export function orderAttack(name: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store API is not in all browsers
  document.cookie = `${ATTACK_COOKIE}=${name}; Max-Age=60; Path=/; SameSite=Lax`
}

function cookieNamed(name: string): string | undefined {
  const pair = document.cookie.split('; ').find((each) => each.startsWith(`${name}=`))
  return pair?.slice(name.length + 1)
}

/** Undefined for something that the service did not write. */
async function unpacked(value: string): Promise<RefusedLogin | undefined> {
  try {
    const text = atob(value.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0))
    const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
    return JSON.parse(await new window.Response(inflated).text())
  } catch {
    return undefined
  }
}
