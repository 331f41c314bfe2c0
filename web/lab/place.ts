import { PROFILES, type Profile } from '../../lib/auth/profile.ts'
import { AUTH_LABELS, type AuthMethod } from '../callers.ts'
import type { Address } from '../ui/address.ts'
import { ATTACKS, type Attack, slugOf } from './attacks.ts'
import { type Cell, cellKeyOf, type Lab } from './lab.ts'

/** What is open beside the matrix. */
export type Opened =
  | { readonly kind: 'cell'; readonly cell: Cell; readonly profile: Profile }
  | { readonly kind: 'attack'; readonly attack: Attack }

export const PLACE_NAMES = ['view', 'way', 'open', 'profile', 'attack'] as const

/** What the address says is open. */
export function openedIn({ fields }: Address, lab: Lab): Opened | undefined {
  const { open = '', profile = '', attack: slug = '' } = fields.value
  const attack = ATTACKS.find((each) => slugOf(each) === slug)
  if (attack) return { kind: 'attack', attack }
  const [name = '', auth = ''] = open.split('.')
  const row = lab.allRows.find(([each]) => each === name)
  if (!row || !isAuthMethod(auth)) return undefined
  const cell = { name, route: row[1], auth }
  return { kind: 'cell', cell, profile: isProfile(profile) ? profile : lab.running }
}

/** The way of the comparison. */
export function authIn({ fields }: Address): AuthMethod {
  const auth = fields.value['way'] ?? ''
  return isAuthMethod(auth) ? auth : 'bearer'
}

/** The changes of the address that open a cell of a profile. */
export function toCell(cell: Cell, profile: Profile, lab: Lab) {
  return { open: cellKeyOf(cell), profile: profile === lab.running ? '' : profile, attack: '' }
}

export function toAttack(attack: Attack) {
  return { open: '', profile: '', attack: slugOf(attack) }
}

export const CLOSED = { open: '', profile: '', attack: '' }

function isAuthMethod(text: string): text is AuthMethod {
  return Object.hasOwn(AUTH_LABELS, text)
}

function isProfile(text: string): text is Profile {
  return Object.hasOwn(PROFILES, text)
}
